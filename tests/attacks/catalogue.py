"""Every attack by a forged message, by the section of fair-play that it breaks."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

from p2pball.engine.terms import Rules
from p2pball.protocol.books import CheatKind
from p2pball.protocol.deals import DECK, deal_commitment, hand_secret
from p2pball.protocol.resume import resume_body
from p2pball.protocol.values import chain_after_move, commitment
from tests.attacks import forging
from tests.attacks.scene import IGNORED, REFUSED, Attack, Expected, Making, Scene, When
from tests.duet import Duet

BOTH = (Rules.DICE, Rules.CARDS)
ZEROS, ONES = "0" * 64, "1" * 64
ATTACKS: list[Attack] = []


def attack(
    name: str, section: str, expected: Expected, when: When, rules: tuple[Rules, ...] = BOTH
) -> Callable[[Making], Making]:
    """Enter an attack into the catalogue."""

    def enter(make: Making) -> Making:
        ATTACKS.append(Attack(name, section, expected, rules, when, make))
        return make

    return enter


def simple(
    name: str,
    section: str,
    expected: Expected,
    when: When,
    forge: Callable[[Scene], bytes],
    rules: tuple[Rules, ...] = BOTH,
) -> None:
    """Enter an attack of one message."""

    def make(scene: Scene) -> Iterator[bytes]:
        yield forge(scene)

    ATTACKS.append(Attack(name, section, expected, rules, when, make))


# -- moments


def a(*kinds: str) -> When:
    """The villain's next message is of one of these types, after round 0."""
    return lambda s: s.head.type in kinds and s.books.round > 0


def anything(scene: Scene) -> bool:
    """At any message after the hellos."""
    return scene.head.type != "hello"


def round_0(scene: Scene) -> bool:
    """At the commit of round 0."""
    return scene.head.type == "commit" and scene.books.round == 0


def pitch(kind: str, *, last: bool | None = None) -> When:
    """At a commit or reveal of a pitch in the cards game; of a hand's last card or not."""

    def when(scene: Scene) -> bool:
        hand = scene.books.sides[scene.villain.value].hand
        right = scene.books.expect.pitch and hand is not None and last in (None, hand.last_card)
        return scene.head.type == kind and right

    return when


def not_first(scene: Scene) -> bool:
    """At a commit in a round that the other seat has not committed to."""
    return a("commit")(scene) and scene.books.sides[scene.victim.value].commit is None


def committed(scene: Scene) -> bool:
    """At a commit after the other seat's in the same round."""
    return a("commit")(scene) and scene.books.sides[scene.victim.value].commit is not None


def after_its_own_message(scene: Scene) -> bool:
    """The villain has already acknowledged something after the other's hello, and sent something of its own."""
    side = scene.books.sides[scene.villain.value]
    return scene.head.type in ("commit", "reveal", "move") and side.acked > 1 and len(side.sent) > 3


# -- section 3: what is no message at all


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

# -- section 3: sequence, game, acknowledgements


def _of_another_game(scene: Scene) -> bytes:
    """The same two players' other game, all signatures right."""
    other = Duet(scene.duet.terms, seed="another")
    made = json.loads(scene.head.payload) | {"game": other.games[scene.victim].game.exchange.game.hex()}
    return forging.seal(scene.own, forging.dump(made))


simple("a gap in seq", "3", REFUSED, anything, lambda s: s.changed(lambda m: m.update(seq=m["seq"] + 1)))
simple("a seq far ahead", "3", REFUSED, anything, lambda s: s.changed(lambda m: m.update(seq=2**53 - 1)))
simple("a wrong prev", "3", REFUSED, anything, lambda s: s.changed(lambda m: m.update(prev=ZEROS)))
simple("a message of another game", "3", REFUSED, anything, _of_another_game)
simple("an ack of nothing", "3", REFUSED, anything, lambda s: s.changed(lambda m: m.update(ack=ONES)))
simple(
    "an ack of its own message",
    "3",
    REFUSED,
    anything,
    lambda s: s.changed(lambda m: m.update(ack=s.books.sides[s.villain.value].sent[-1].digest)),
)
simple(
    "an ack that goes back",
    "3",
    REFUSED,
    after_its_own_message,
    lambda s: s.changed(lambda m: m.update(ack=s.books.sides[s.victim.value].sent[0].digest)),
)
simple("an ack withdrawn", "3", REFUSED, after_its_own_message, lambda s: s.changed(lambda m: m.update(ack="")))


def _unaware(scene: Scene) -> bytes:
    """What it answers is not acknowledged."""
    side = scene.books.sides[scene.villain.value]
    old = scene.books.sides[scene.victim.value].sent[side.acked].digest if side.acked >= 0 else ""
    return scene.changed(lambda made: made.update(ack=old))


def _news(scene: Scene) -> bool:
    """The head acknowledges for the first time what it must."""
    side, other = scene.books.sides[scene.villain.value], scene.books.sides[scene.victim.value]
    need = {"reveal": other.commit}.get(scene.head.type, other.turn)
    return scene.head.type in ("commit", "move", "reveal", "final") and need is not None and side.acked < need.seq


simple("an answer to what it has not acknowledged", "3", REFUSED, _news, _unaware)


@attack("the same message twice", "3", IGNORED, a("commit", "reveal", "move"))
def _twice(scene: Scene) -> Iterator[bytes]:
    yield scene.head.frame
    yield scene.head.frame


@attack("an old message again", "3", IGNORED, after_its_own_message)
def _old(scene: Scene) -> Iterator[bytes]:
    yield scene.rng.choice(scene.books.sides[scene.villain.value].sent[1:]).frame


@attack("another message under a used seq", "3", CheatKind.EQUIVOCATION, a("commit", "reveal", "move"))
def _equivocation(scene: Scene) -> Iterator[bytes]:
    yield scene.head.frame
    yield scene.make("resign", {}, seq=scene.head.seq, prev=scene.head.prev, ack=scene.head.ack)


@attack("an old message signed anew, changed", "3", CheatKind.EQUIVOCATION, after_its_own_message)
def _rewritten(scene: Scene) -> Iterator[bytes]:
    old = scene.rng.choice(scene.books.sides[scene.villain.value].sent[1:])
    yield forging.again(scene.own, old, lambda made: made.update(ack=ZEROS))


# -- section 3: commits and reveals

simple("a commit on another chain", "3", CheatKind.WRONG_CHAIN, a("commit"), lambda s: s.with_body(chain=ZEROS))
simple(
    "a commit of the round before",
    "3",
    CheatKind.ILLEGAL_ACTION,
    a("commit"),
    lambda s: s.with_body(round=s.books.round - 1),
)
simple(
    "a commit of the round after",
    "3",
    CheatKind.ILLEGAL_ACTION,
    a("commit"),
    lambda s: s.with_body(round=s.books.round + 1),
)


@attack("a second commit in one round", "3", CheatKind.ILLEGAL_ACTION, not_first)
def _second_commit(scene: Scene) -> Iterator[bytes]:
    yield scene.head.frame
    if scene.books.sides[scene.villain.value].commit is None:  # the round is complete already
        return
    yield scene.make("commit", scene.body | {"commitment": ONES})


@attack("the other's commitment copied, and its reveal", "3", CheatKind.BAD_OPENING, committed)
def _copied(scene: Scene) -> Iterator[bytes]:
    theirs = scene.books.sides[scene.victim.value].commit
    assert theirs is not None
    yield scene.with_body(commitment=theirs.body["commitment"])
    opened = scene.books.sides[scene.victim.value].reveal
    assert opened is not None
    yield scene.make("reveal", dict(opened.body) | {"hand_secret": ""})


def _opening(name: str, forge: Callable[[Scene], bytes]) -> None:
    simple(name, "3", CheatKind.BAD_OPENING, a("reveal"), forge)


_opening("a reveal with another nonce", lambda s: s.with_body(nonce=ONES))
_opening(
    "a reveal with the other's nonce", lambda s: s.with_body(nonce=next(iter(s.books.sides[s.victim.value].nonces)))
)
_opening("a reveal of another action", lambda s: s.with_body(action={"pitch": "slider"}))
simple(
    "a reveal of another card of the hand",
    "3",
    CheatKind.BAD_OPENING,
    pitch("reveal", last=False),
    lambda s: s.with_body(action={"card": _another_card(s)}),
    (Rules.CARDS,),
)


def _another_card(scene: Scene) -> str:
    hand = scene.books.sides[scene.villain.value].hand
    assert hand is not None
    dealt = hand.cards(hand_secret(scene.own.master, hand.game, hand.seat, hand.number))
    played = (*hand.played, scene.head.body.get("action", {}).get("card"))
    return next(card for card in dealt if card not in played)


@attack("a nonce used before", "3", CheatKind.REPEATED_NONCE, committed)
def _nonce_again(scene: Scene) -> Iterator[bytes]:
    books, seat = scene.books, scene.villain.value
    nonce = next(iter(books.sides[seat].nonces))
    opened = scene.duet.games[scene.villain].game.exchange.lines  # what the honest half would have played
    action = next((line.body["action"] for line in reversed(opened) if _is(line, seat, books.round)), {"pass": True})
    locked = commitment(bytes.fromhex(nonce), books.game, books.round, seat, books.chain, action)
    yield scene.with_body(commitment=locked.hex())
    yield scene.make("reveal", {"round": books.round, "nonce": nonce, "action": action, "hand_secret": ""})


def _is(line: Any, seat: str, number: int) -> bool:
    return line.type == "reveal" and line.seat == seat and line.body["round"] == number


@attack("a reveal of a round never committed to", "3", CheatKind.ILLEGAL_ACTION, committed)
def _uncommitted(scene: Scene) -> Iterator[bytes]:
    yield scene.reveal({"pass": True})


@attack("a reveal before the other's commit", "3", REFUSED, not_first)
def _early_reveal(scene: Scene) -> Iterator[bytes]:
    yield scene.reveal({"pass": True})


@attack("a reveal of the round before", "3", CheatKind.ILLEGAL_ACTION, a("commit"))
def _late_reveal(scene: Scene) -> Iterator[bytes]:
    yield scene.reveal({"pass": True}, round=scene.books.round - 1)


@attack("a second reveal in one round", "3", CheatKind.ILLEGAL_ACTION, a("reveal"))
def _second_reveal(scene: Scene) -> Iterator[bytes]:
    yield scene.head.frame
    yield scene.make("reveal", scene.body)


def _locks(name: str, action: Any, when: When, rules: tuple[Rules, ...] = BOTH) -> None:
    @attack(name, "3", CheatKind.ILLEGAL_ACTION, when, rules)
    def _(scene: Scene) -> Iterator[bytes]:
        chosen = action(scene) if callable(action) else action
        yield scene.commit(chosen)
        scene.answer()
        yield scene.reveal(chosen)


_locks("a locked action that is none", {"run": "home"}, a("commit"))
_locks("a locked action of the other game", {"pitch": "slider"}, a("commit"))
_locks("a pass where a card is due", {"pass": True}, pitch("commit", last=False), (Rules.CARDS,))
_locks("a card that does not exist", {"card": "1X"}, pitch("commit", last=False), (Rules.CARDS,))
_locks(
    "a card played before",
    lambda s: {"card": _played_card(s)},
    lambda s: pitch("commit")(s) and bool(_played(s)),
    (Rules.CARDS,),
)


def _played(scene: Scene) -> tuple[str, ...]:
    hand = scene.books.sides[scene.villain.value].hand
    return hand.played if hand else ()


def _played_card(scene: Scene) -> str:
    return _played(scene)[0]


# -- section 3: moves, resignations, finals

simple("an open move on another chain", "3", CheatKind.WRONG_CHAIN, a("move"), lambda s: s.with_body(chain=ZEROS))
simple(
    "an open move that is none",
    "3",
    CheatKind.ILLEGAL_ACTION,
    a("move"),
    lambda s: s.with_body(move={"pitch": "spitball"}),
)
simple("a card laid openly", "3", CheatKind.ILLEGAL_ACTION, a("move"), lambda s: s.with_body(move={"card": "AS"}))
simple("a steal of home", "3", CheatKind.ILLEGAL_ACTION, a("move"), lambda s: s.with_body(move={"steal": 4}))
simple(
    "an open move in a sealed round",
    "3",
    CheatKind.ILLEGAL_ACTION,
    not_first,
    lambda s: s.make("move", {"chain": s.books.chain.hex(), "move": {"hold": True}}),
)
simple(
    "a commit where an open move is due", "3", CheatKind.ILLEGAL_ACTION, a("move"), lambda s: s.commit({"pass": True})
)


@attack("a lie about the position after its own move", "3", CheatKind.WRONG_CHAIN, a("move"))
def _lie(scene: Scene) -> Iterator[bytes]:
    books, seat = scene.books, scene.villain.value
    lie = chain_after_move(books.chain, seat, scene.body["move"], "dice T1 9-0 o0 b000 s1,1 @roll")
    yield scene.head.frame
    scene.answer()
    if books.expect.due.value == "open":
        yield scene.make("move", {"chain": lie.hex(), "move": {"hold": True}})
    else:
        yield scene.make(
            "commit", forging.commit_body(scene.own, books, scene.villain, {"pass": True}, chain=lie.hex())
        )


simple("a resignation in round 0", "3", CheatKind.ILLEGAL_ACTION, round_0, lambda s: s.make("resign", {}))


@attack("playing on after resigning", "3", CheatKind.ILLEGAL_ACTION, a("commit", "move"))
def _plays_on(scene: Scene) -> Iterator[bytes]:
    yield scene.make("resign", {})
    yield scene.make(scene.head.type, scene.body)


@attack("resigning twice", "3", CheatKind.ILLEGAL_ACTION, a("commit", "move"))
def _resigns_twice(scene: Scene) -> Iterator[bytes]:
    yield scene.make("resign", {})
    yield scene.make("resign", {})


def _resigned(name: str, forge: Callable[[Scene], bytes], expected: Expected) -> None:
    @attack(name, "3", expected, a("commit", "move", "reveal"))
    def _(scene: Scene) -> Iterator[bytes]:
        scene.game.resign()
        scene.duet.flush(scene.victim)
        yield forge(scene)


_resigned("playing on after reading a resignation", lambda s: s.make(s.head.type, s.body), CheatKind.ILLEGAL_ACTION)
_resigned("resigning after reading a resignation", lambda s: s.make("resign", {}), CheatKind.ILLEGAL_ACTION)
_resigned(
    "a final with more runs after a resignation",
    lambda s: s.make("final", _final(s, home=99)),
    CheatKind.ILLEGAL_ACTION,
)
_resigned(
    "a final with a chain after a resignation",
    lambda s: s.make("final", _final(s) | {"chain": ZEROS}),
    CheatKind.WRONG_CHAIN,
)


def _final(scene: Scene, **result: Any) -> dict[str, Any]:
    books, seat = scene.books, scene.villain.value
    hand = books.sides[seat].hand
    secret = hand_secret(scene.own.master, books.game, seat, hand.number).hex() if hand else ""
    return {"chain": "", "result": books.result() | result, "hand_secret": secret}


simple(
    "a final too early",
    "3",
    CheatKind.ILLEGAL_ACTION,
    a("commit", "move"),
    lambda s: s.make("final", _final(s) | {"chain": s.books.chain.hex()}),
)
simple(
    "a final that claims the win",
    "3",
    CheatKind.ILLEGAL_ACTION,
    a("final"),
    lambda s: s.with_body(result=s.body["result"] | {"home": 99, "winner": s.villain.value}),
)
simple("a final of another chain", "3", CheatKind.WRONG_CHAIN, a("final"), lambda s: s.with_body(chain=ZEROS))
simple("a commit after the end", "3", CheatKind.ILLEGAL_ACTION, a("final"), lambda s: s.commit({"pass": True}))


@attack("a message after its own final", "3", CheatKind.ILLEGAL_ACTION, a("final"))
def _after_final(scene: Scene) -> Iterator[bytes]:
    yield scene.head.frame
    yield scene.make("resign", {})


# -- section 5: hidden hands

simple(
    "no deal commitment in round 0", "5", CheatKind.BAD_DEAL, round_0, lambda s: s.with_body(deal=""), (Rules.CARDS,)
)
simple(
    "no deal commitment with a hand's last card",
    "5",
    CheatKind.BAD_DEAL,
    pitch("commit", last=True),
    lambda s: s.with_body(deal=""),
    (Rules.CARDS,),
)
simple(
    "a deal commitment out of place",
    "5",
    CheatKind.BAD_DEAL,
    lambda s: a("commit")(s) and not s.head.body["deal"],
    lambda s: s.with_body(deal=ONES),
)
simple(
    "an audit withheld",
    "5",
    CheatKind.BAD_DEAL,
    pitch("reveal", last=True),
    lambda s: s.with_body(hand_secret=""),
    (Rules.CARDS,),
)
simple(
    "an audit with another secret",
    "5",
    CheatKind.BAD_DEAL,
    pitch("reveal", last=True),
    lambda s: s.with_body(hand_secret=ONES),
    (Rules.CARDS,),
)
simple(
    "an audit too early",
    "5",
    CheatKind.BAD_DEAL,
    lambda s: a("reveal")(s) and not s.head.body["hand_secret"],
    lambda s: s.with_body(hand_secret=ONES),
)
simple(
    "a final that keeps the hand secret",
    "5",
    CheatKind.BAD_DEAL,
    a("final"),
    lambda s: s.with_body(hand_secret=""),
    (Rules.CARDS,),
)
simple("a final with another hand secret", "5", CheatKind.BAD_DEAL, a("final"), lambda s: s.with_body(hand_secret=ONES))


@attack("a card that was not dealt, played last", "5", CheatKind.BAD_DEAL, pitch("commit", last=True), (Rules.CARDS,))
def _strange_card(scene: Scene) -> Iterator[bytes]:
    books, seat = scene.books, scene.villain.value
    hand = books.sides[seat].hand
    assert hand is not None
    secret = hand_secret(scene.own.master, books.game, seat, hand.number)
    strange = {
        "card": next(card for card in reversed(DECK) if card in hand.remaining and card not in hand.cards(secret))
    }
    yield scene.commit(strange)
    scene.answer()
    yield scene.reveal(strange, hand_secret=secret.hex())


@attack(
    "the audit of a hand picked among many secrets", "5", CheatKind.BAD_DEAL, pitch("commit", last=True), (Rules.CARDS,)
)
def _picked_secret(scene: Scene) -> Iterator[bytes]:
    """Another secret deals what was played, but K was fixed before."""
    books, seat = scene.books, scene.villain.value
    hand = books.sides[seat].hand
    assert hand is not None
    picked = deal_commitment(bytes(32), books.game, seat, hand.number)[:32]
    card = {"card": _another_card(scene)}
    yield scene.commit(card)
    scene.answer()
    yield scene.reveal(card, hand_secret=picked.hex())
