"""One meeting as a machine of bytes: two frames each way agree on keys, all later ones are sealed (fair-play 8).

Theory of operation. Each seat sends, whatever carries the frames (a relay, lines pasted by hand, a test):

    1  its opening: its SPAKE2 message (a new game) or 32 random bytes (a game that goes on);
    2  its confirmation, once it has the other's opening: only now do both have keys;
    3  sealed frames, once it has checked the other's confirmation.

Both seats may speak first; nothing is sent twice. A confirmation that does not fit is a wrong code, and burns this
meeting: a machine that has refused once refuses for ever, so that a code is never worth more than one guess.

Not handled here: who carries the frames, how long to wait, what the sealed bytes say (`letters`).
"""

from __future__ import annotations

from enum import Enum
from typing import assert_never

from p2pball.protocol.encoding import KEY_BYTES
from p2pball.protocol.meeting.codes import Code
from p2pball.protocol.meeting.errors import MeetingError, Tampered, WrongCode
from p2pball.protocol.meeting.keys import Entropy, Role, RoomKeys, Spake, derive, resume_nameplate, same
from p2pball.protocol.meeting.sealing import NONCE_BYTES, Box


class Phase(Enum):
    """What the machine waits for."""

    OPENING = "opening"
    CONFIRMATION = "confirmation"
    SEALED = "sealed"
    BURNT = "burnt"


class Meeting:
    """One seat of one meeting; feed it the other seat's frames in order, send what it gives back."""

    def __init__(self, role: Role, nameplate: str, secret: Spake | bytes, entropy: Entropy) -> None:
        """Use `by_code` or `by_secret`; a `Spake` begins a game, 32 bytes of resume secret go on with one."""
        self.role = role
        self.nameplate = nameplate
        self.phase = Phase.OPENING
        self.opening = secret.message if isinstance(secret, Spake) else entropy(KEY_BYTES)
        self._secret = secret
        self._entropy = entropy
        self._keys: RoomKeys | None = None
        self._box: Box | None = None

    @classmethod
    def by_code(cls, role: Role, code: Code, entropy: Entropy) -> Meeting:
        """Two players who share a code (fair-play 8.1 to 8.4)."""
        return cls(role, code.nameplate, Spake(role, str(code), code.nameplate, entropy), entropy)

    @classmethod
    def by_secret(cls, role: Role, resume_secret: bytes, entropy: Entropy) -> Meeting:
        """Two players who go on with a game; the keys of this meeting are fresh (fair-play 8.5)."""
        return cls(role, resume_nameplate(resume_secret), resume_secret, entropy)

    @property
    def confirmed(self) -> bool:
        """Whether both sides have shown that they have the same keys."""
        return self.phase is Phase.SEALED

    @property
    def guessed(self) -> bool:
        """Whether our confirmation has gone out for a code: then the code is used up, whatever happens."""
        return isinstance(self._secret, Spake) and self.phase is not Phase.OPENING

    @property
    def keys(self) -> RoomKeys:
        """The keys both sides have confirmed; raises MeetingError before that."""
        if self.phase is not Phase.SEALED or self._keys is None:
            raise MeetingError
        return self._keys

    @property
    def resume_secret(self) -> bytes:
        """From which a cut game finds its partner again: this meeting's own, or that of the game gone on with."""
        return self.keys.resume if isinstance(self._secret, Spake) else self._secret

    def receive(self, frame: bytes) -> tuple[tuple[bytes, ...], bytes | None]:
        """Take the other seat's next frame; gives (frames to send now, what a sealed frame said or None).

        Raises WrongCode or Tampered; after either, every later call raises MeetingError.
        """
        try:
            match self.phase:
                case Phase.OPENING:
                    return (self._agree(frame),), None
                case Phase.CONFIRMATION:
                    self._confirm(frame)
                    return (), None
                case Phase.SEALED:
                    return (), self._opened(frame)
                case Phase.BURNT:
                    raise MeetingError
                case _:
                    assert_never(self.phase)
        except MeetingError:
            self.phase = Phase.BURNT
            raise

    def seal(self, plain: bytes) -> bytes:
        """A frame that only the other seat opens; raises MeetingError before both have confirmed."""
        if self.phase is not Phase.SEALED or self._box is None:
            raise MeetingError
        return self._box.seal(plain, self._entropy(NONCE_BYTES))

    def _agree(self, theirs: bytes) -> bytes:
        ours = self.opening
        host, guest = (ours, theirs) if self.role is Role.HOST else (theirs, ours)
        if isinstance(self._secret, Spake):
            keys = derive(self._secret.finish(theirs), b"", self.nameplate, host, guest)
        elif len(theirs) != KEY_BYTES or same(theirs, ours):
            raise Tampered
        else:
            keys = derive(self._secret, host + guest, self.nameplate, host, guest)
        self._keys = keys
        self.phase = Phase.CONFIRMATION
        return keys.confirmation(self.role)

    def _confirm(self, frame: bytes) -> None:
        assert self._keys is not None
        if not same(frame, self._keys.confirmation(self.role.other)):
            # A relay that changed an opening looks the same as a wrong word: one guess, either way (fair-play 8.4).
            raise WrongCode if isinstance(self._secret, Spake) else Tampered
        self._box = Box(self._keys, self.role)
        self.phase = Phase.SEALED

    def _opened(self, frame: bytes) -> bytes:
        assert self._box is not None
        return self._box.open(frame)
