"""What can go wrong on the way to the other player; each docstring is the sentence shown."""

from __future__ import annotations

from p2pball.errors import P2PBallError


class NetError(P2PBallError):
    """The two machines could not be connected."""


class LinkClosed(NetError):
    """The connection to the other player is gone."""


class BadRelayAddress(NetError):
    """That is no relay address. It looks like relay.example.org, 192.168.1.5:8765 or wss://relay.example.org."""


class RelayDown(NetError):
    """The relay does not answer. Check the address and your network, try another relay, host without --relay to use
    your own, or use --by-hand, which needs none."""


class RelayRefused(NetError):
    """The relay refused the connection."""


class RoomUnknown(RelayRefused):
    """No one waits under this code: it was mistyped, has expired or was used. Ask your host for a new one."""


class RoomFull(RelayRefused):
    """Two players are in this room already. Ask your host for a new code."""


class NameplatesTaken(RelayRefused):
    """Every room number tried is in use on this relay. Try again in a minute, or use another relay."""


class MeetingCut(NetError):
    """The relay was lost just as the code was used, and a code is good for one guess only. Host again with a new
    code."""


class PartnerGone(NetError):
    """The other player left or lost the network before the game could begin. Agree on a new code and try again."""


class PartnerFailed(NetError):
    """The other player's program gave up: the code did not match there, or no way was found from there. Host again
    with a new code."""


class NoNetwork(NetError):
    """This machine has no network address but its own loopback. Connect to a network and try again; `p2pball play`
    needs none."""


class NoTurnServer(NetError):
    """With --turn-only everything goes through a TURN server, and neither the relay nor your settings name one.
    Name one with --turn, or leave --turn-only out."""


class NoPath(NetError):
    """No way through the network was found between the two of you. What helps: a relay with a TURN server or one of
    your own (--turn), playing on the same LAN, or another network for one of you. `p2pball doctor` says what is
    blocked from here."""
