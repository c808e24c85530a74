"""Attacks by what is no message, is not signed, or has no place in a game (fair-play 3)."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable

from p2pball.protocol.resume import resume_body
from tests.attacks import forging
from tests.attacks.chapter import ZEROS, Chapter, a, anything
from tests.attacks.scene import REFUSED, Scene

ATTACKS = Chapter()
simple = ATTACKS.simple


def raw(change: Callable[[str], str]) -> Callable[[Scene], bytes]:
    """The honest payload changed as text and properly signed."""
    return lambda s: forging.seal(s.own, change(s.head.payload))


for label, change in {
    "an unknown field": lambda p: p[:-1] + ',"x":1}',
    "a field twice": lambda p: p[:-1] + ',"v":1}',
    "a field missing": lambda p: p.replace('"v":1', '"w":1'),
    "white space": lambda p: p.replace(":", ": ", 1),
    "a float": lambda p: p.replace('"v":1', '"v":1.0'),
    "a number too large": lambda p: p.replace('"v":1', f'"v":{2**53}'),
    "a number of 5,000 digits": lambda p: p.replace('"v":1', '"v":' + "1" * 5000),
    "NaN": lambda p: p.replace('"v":1', '"v":NaN'),
    "another version": lambda p: p.replace('"v":1', '"v":2'),
    "an unknown type": lambda p: p.replace('"type":"', '"type":"x'),
    "an unknown seat": lambda p: p.replace('"seat":"', '"seat":"x'),
    "nesting 3,000 deep": lambda p: p.replace('"v":1', '"v":' + "[" * 1500 + "]" * 1500),
    "nesting of five": lambda p: p.replace('"body":{', '"body":{"a":{"b":{"c":{}}},'),
    "a body that is a list": lambda p: json.dumps(json.loads(p) | {"body": []}, sort_keys=True, separators=(",", ":")),
    "no JSON at all": lambda _: "I am the payload",
    "a list": lambda _: "[]",
}.items():
    simple(f"a payload with {label}", "3", REFUSED, anything, raw(change))


for label, forge in {
    "of 9 KiB": lambda s: s.make("move", {"chain": ZEROS, "move": {"x": "y" * 9000}}),
    "of a megabyte": lambda s: s.make("move", {"chain": ZEROS, "move": {"x": "y" * 1_000_000}}),
    "of invalid UTF-8": lambda s: s.head.frame[:20] + b"\xff" + s.head.frame[21:],
    "with a byte order mark": lambda s: b"\xef\xbb\xbf" + s.head.frame,
    "cut short": lambda s: s.head.frame[:-9],
    "with a newline": lambda s: s.head.frame + b"\n",
    "with a field twice": lambda s: s.head.frame[:-1] + b',"sig":"' + s.head.sig.encode() + b'"}',
    "with more fields": lambda s: s.head.frame[:-1] + b',"x":1}',
    "that is empty": lambda _: b"",
    "of 8,000 brackets": lambda _: b"[" * 8000,
    "of a chat of 501 characters": lambda _: forging.dump({"chat": "x" * 501}).encode(),
    "of a ping that is no number": lambda _: b'{"ping":"x"}',
}.items():
    simple(f"a frame {label}", "3", REFUSED, anything, forge)


def _signed_by_nobody(scene: Scene) -> bytes:
    sig = base64.urlsafe_b64encode(bytes(64)).decode().rstrip("=")
    return forging.dump({"payload": scene.head.payload, "sig": sig}).encode()


def _other_signature(scene: Scene, change: Callable[[str], str]) -> bytes:
    return forging.dump({"payload": scene.head.payload, "sig": change(scene.head.sig)}).encode()


def _by_the_victims_name(scene: Scene) -> bytes:
    made = forging.fields(scene.books, scene.victim, "resign", {})
    return forging.seal(scene.own, forging.dump(made))


simple("a signature of zeros", "3", REFUSED, anything, _signed_by_nobody)
simple(
    "a signature of another message",
    "3",
    REFUSED,
    anything,
    lambda s: _other_signature(s, lambda _: s.books.sides[s.villain.value].sent[0].sig),
)
simple("a padded signature", "3", REFUSED, anything, lambda s: _other_signature(s, lambda sig: sig + "=="))
simple(
    "a signature with other spare bits",
    "3",
    REFUSED,
    anything,
    lambda s: _other_signature(s, lambda sig: sig[:-1] + chr(ord(sig[-1]) + 1)),
)
simple("a resignation in the other's name", "3", REFUSED, anything, _by_the_victims_name)
simple("a nonce of 31 bytes", "3", REFUSED, a("reveal"), lambda s: s.with_body(nonce=s.body["nonce"][:62]))
simple("a nonce of 33 bytes", "3", REFUSED, a("reveal"), lambda s: s.with_body(nonce=s.body["nonce"] + "00"))
simple("a nonce in upper case", "3", REFUSED, a("reveal"), lambda s: s.with_body(nonce="AB" * 32))
simple(
    "a hello in the middle of the game", "3", REFUSED, anything, lambda s: s.books.sides[s.villain.value].sent[0].frame
)
simple(
    "a decline in the middle of the game",
    "3",
    REFUSED,
    anything,
    lambda s: s.make("decline", {"reason": "no"}, game="", seq=0, prev=""),
)
simple(
    "a resume in the middle of the game",
    "3",
    REFUSED,
    anything,
    lambda s: s.make("resume", resume_body(s.books, s.villain.value), seq=-1, prev="", ack=""),
)
