"""The laboratory's wires: a public network with a server, and two sites each behind a NAT of its own kind.

    srv 198.51.100.2 ── core ──┬── nat A (203.0.113.2)  ── host A (192.168.1.2)
    relay, STUN, TURN          └── nat B (203.0.113.18) ── host B (192.168.1.3)

Both private networks have the same addresses, as homes do. `core` is the Internet: it forwards between public
addresses and drops what is sent to private ones. An open site's host is itself where the NAT would be.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from enum import StrEnum
from types import TracebackType
from typing import Self

SERVER = "198.51.100.2"
_WAN = {"A": 0, "B": 16}
_LAN = {"A": 2, "B": 3}


class Kind(StrEnum):
    """What stands between a host and the Internet, by the words of RFC 3489."""

    OPEN = "open"
    FULL_CONE = "full cone"
    PORT_RESTRICTED = "port-restricted"
    SYMMETRIC = "symmetric"
    UDP_BLOCKED = "UDP blocked"


def run(*command: str, stdin: str | None = None) -> str:
    """A command that must succeed; what it said otherwise is in the error."""
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


@dataclass
class Site:
    """One player's side of the laboratory."""

    name: str
    kind: Kind
    prefix: str
    line: object | None = None
    address: int = 2
    """The last part of the WAN address, counted within the site's own sixteen."""

    @property
    def host(self) -> str:
        """The namespace in which the player sits."""
        return f"{self.prefix}{'nat' if self.kind is Kind.OPEN else 'host'}{self.name}"

    @property
    def nat(self) -> str:
        """The namespace that has the public address."""
        return f"{self.prefix}nat{self.name}"

    def wan(self, part: int) -> str:
        """An address of the site's part of the public network."""
        return f"203.0.113.{_WAN[self.name] + part}"


@dataclass
class Lab:
    """Made on entry, gone on exit, whatever happened in between; needs root."""

    kinds: tuple[Kind, Kind]
    lines: bool = False
    """Whether site A's line to the Internet is a TUN pair for `forwarder`, instead of a wire."""
    prefix: str = field(default_factory=lambda: f"p2b{os.getpid()}-")
    sites: dict[str, Site] = field(default_factory=dict)

    @property
    def server(self) -> str:
        """The namespace of relay, STUN and TURN."""
        return f"{self.prefix}srv"

    @property
    def core(self) -> str:
        """The namespace that is the Internet."""
        return f"{self.prefix}core"

    def __enter__(self) -> Self:
        try:
            for name in (self.server, self.core):
                self._namespace(name)
            self._wire((self.server, "eth0", f"{SERVER}/24"), (self.core, "srv", "198.51.100.1/24"))
            # A coturn without a default route closes a whole session over one private candidate (connection 1).
            self.ip(self.server, "route", "add", "default", "via", "198.51.100.1")
            for private in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"):
                self.ip(self.core, "route", "add", "blackhole", private)
            for name, kind in zip("AB", self.kinds, strict=True):
                self.sites[name] = Site(name, kind, self.prefix)
                self._site(self.sites[name])
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for line in subprocess.run(["ip", "netns"], capture_output=True, text=True, check=True).stdout.splitlines():
            if line.split()[0].startswith(self.prefix):
                run("ip", "netns", "del", line.split()[0])

    def ip(self, namespace: str, *command: str) -> str:
        """`ip` inside a namespace."""
        return run("ip", "-n", namespace, *command)

    def inside(self, namespace: str) -> list[str]:
        """What goes before a command to run it there."""
        return ["ip", "netns", "exec", namespace]

    def change_address(self, site: Site) -> None:
        """The provider gives the site another public address, in the middle of everything."""
        old, site.address = site.address, site.address + 1
        self.ip(site.nat, "addr", "del", f"{site.wan(old)}/28", "dev", "wan")
        self.ip(site.nat, "addr", "add", f"{site.wan(site.address)}/28", "dev", "wan")
        self.ip(site.nat, "route", "replace", "default", "via", site.wan(1), "dev", "wan")

    def _namespace(self, name: str) -> None:
        run("ip", "netns", "add", name)
        self.ip(name, "link", "set", "lo", "up")
        inside = self.inside(name)
        run(*inside, "sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv6.conf.all.disable_ipv6=1")

    def _wire(self, one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
        """A cable between two namespaces: (namespace, interface, address) at each end."""
        run("ip", "-n", one[0], "link", "add", one[1], "type", "veth", "peer", "name", other[1], "netns", other[0])
        for namespace, interface, address in (one, other):
            self._up(namespace, interface, address)

    def _up(self, namespace: str, interface: str, address: str) -> None:
        self.ip(namespace, "addr", "add", address, "dev", interface)
        self.ip(namespace, "link", "set", interface, "up")

    def _site(self, site: Site) -> None:
        self._namespace(site.nat)
        wan, core = f"{site.wan(2)}/28", f"{site.wan(1)}/28"
        if self.lines and site.name == "A":
            for namespace, interface, address in ((site.nat, "wan", wan), (self.core, "wanA", core)):
                self.ip(namespace, "tuntap", "add", "mode", "tun", "name", interface)
                self._up(namespace, interface, address)
        else:
            self._wire((site.nat, "wan", wan), (self.core, f"wan{site.name}", core))
        self.ip(site.nat, "route", "add", "default", "via", site.wan(1), "dev", "wan")
        if site.kind is Kind.OPEN:
            return
        self._namespace(site.host)
        inner = f"192.168.1.{_LAN[site.name]}"
        self._wire((site.host, "eth0", f"{inner}/24"), (site.nat, "lan", "192.168.1.1/24"))
        self.ip(site.host, "route", "add", "default", "via", "192.168.1.1")
        run(*self.inside(site.nat), "nft", "-f", "-", stdin=_rules(site.kind, inner))


def _rules(kind: Kind, inner: str) -> str:
    """nftables for a kind of NAT; Linux keeps the source port, and so the mapping, as long as nothing is random."""
    how = "masquerade fully-random" if kind is Kind.SYMMETRIC else "masquerade"
    mapped = f'iifname "wan" meta l4proto udp dnat to {inner}' if kind is Kind.FULL_CONE else ""
    # What a NAT does not know it drops unseen: were it accepted, its entry would cost the next mapping its port.
    known = "" if kind is Kind.FULL_CONE else 'iifname "wan" ct state established,related accept; iifname "wan" drop;'
    blocked = "meta l4proto udp drop;" if kind is Kind.UDP_BLOCKED else ""
    known = known.replace(";", "\n")
    return f"""
table ip nat {{
  chain out {{ type nat hook postrouting priority 100
    oifname "wan" {how}
  }}
  chain in {{ type nat hook prerouting priority -100
    {mapped}
  }}
}}
table ip filter {{
  chain through {{ type filter hook forward priority 0
    {blocked.rstrip(";")}
    {known}
  }}
  chain own {{ type filter hook input priority 0
    {known}
  }}
}}
"""
