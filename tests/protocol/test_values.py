"""Every value of vectors.json, and the encoding, streams and deals behind them (fair-play 2, 4, 5)."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pball.engine.cards import NAMES
from p2pball.protocol import deals, values
from p2pball.protocol.encoding import H, M, canonical, check, enc, parse
from p2pball.protocol.streams import RoundDice, Stream

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent.parent / "vectors.json").read_text())
hexed = bytes.fromhex
GAME = hexed(VECTORS["game"]["id"])
GENESIS = hexed(VECTORS["genesis"])


def field(value: Any) -> Any:
    return hexed(value[4:]) if isinstance(value, str) and value.startswith("hex:") else value


def test_enc() -> None:
    wanted = VECTORS["enc"]
    assert enc(wanted["label"], *map(field, wanted["fields"])).hex() == wanted["hex"]


def test_game_and_genesis() -> None:
    game = VECTORS["game"]
    assert values.game_id(hexed(game["host"]), hexed(game["guest"])) == GAME
    assert values.genesis(GAME) == GENESIS


def test_round_nonce() -> None:
    v = VECTORS["round_nonce"]
    made = values.round_nonce(
        hexed(v["master"]), GAME, v["round"], v["seat"], hexed(v["chain"]), json.loads(v["action"])
    )
    assert made.hex() == v["hex"]


def locked() -> tuple[values.Both, values.Both, tuple[Any, Any]]:
    v = VECTORS["commit"]
    nonces = (hexed(v["nonce_host"]), hexed(v["nonce_guest"]))
    actions = (json.loads(v["action_host"]), json.loads(v["action_guest"]))
    host, guest = (
        values.commitment(nonces[i], GAME, v["round"], values.SEATS[i], hexed(v["chain"]), actions[i]) for i in (0, 1)
    )
    return (host, guest), nonces, actions


def test_commitments() -> None:
    (host, guest), _, _ = locked()
    assert (host.hex(), guest.hex()) == (VECTORS["commit"]["host"], VECTORS["commit"]["guest"])


def test_round_seed_and_its_streams() -> None:
    commitments, nonces, _ = locked()
    seed = values.round_seed(GAME, VECTORS["commit"]["round"], GENESIS, commitments, nonces)
    assert seed.hex() == VECTORS["round_seed"]
    streams = VECTORS["streams"]
    for purpose, n, name, plus in (
        ("outcome", 6, "outcome_10_dice", 1),
        ("contact", 6, "contact_10_dice", 1),
        ("batter-character", 54, "batter-character_10_below_54", 0),
    ):
        stream = Stream(seed, purpose)
        assert [stream.below(n) + plus for _ in range(10)] == streams[name]
    dice, die = RoundDice(seed), Stream(seed, "outcome")
    drawn = []
    for _ in range(10):  # what is drawn in one place never moves another
        dice.below("batter-character", 54)
        drawn.append(dice.below("outcome", 6) + 1)
    assert drawn == streams["outcome_10_dice"] == [die.die() for _ in range(10)]


def test_chain_after_round_and_move() -> None:
    commitments, nonces, actions = locked()
    after = VECTORS["chain_after_round"]
    made = values.chain_after_round(
        hexed(after["chain_before"]), VECTORS["commit"]["round"], commitments, nonces, actions, after["position"]
    )
    assert made.hex() == after["hex"]
    v = VECTORS["chain_after_move"]
    chain = values.chain_after_move(hexed(v["chain_before"]), v["seat"], json.loads(v["move"]), v["position"])
    assert chain.hex() == v["hex"]


def test_deal() -> None:
    v = VECTORS["deal"]
    secret = deals.hand_secret(hexed(v["master"]), GAME, v["seat"], v["hand"])
    assert secret.hex() == v["secret"]
    assert deals.deal_commitment(secret, GAME, v["seat"], v["hand"]).hex() == v["deal_commit"]
    nonce = hexed(v["nonce_of_guest"])
    for remaining, name in ((deals.DECK, "hand_from_52"), (deals.DECK[-28:], "hand_from_28_last")):
        assert list(deals.deal(secret, GAME, v["seat"], v["hand"], nonce, remaining)) == v[name]


def test_both_decks_are_one() -> None:
    """The protocol and the engine do not know each other, yet number the cards alike (C3)."""
    assert deals.DECK == NAMES


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_key_has_32_bytes(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        M(bytes(size), "commit")


FIELDS = st.one_of(st.integers(0, 2**64 - 1), st.text(max_size=5), st.binary(max_size=5))


@given(st.text(max_size=4), st.lists(FIELDS, max_size=4), st.text(max_size=4), st.lists(FIELDS, max_size=4))
def test_no_two_different_lists_are_encoded_alike(one: str, a: list[Any], two: str, b: list[Any]) -> None:
    def raw(x: Any) -> bytes:
        if isinstance(x, bytes):
            return x
        return x.encode() if isinstance(x, str) else x.to_bytes(8, "big")

    same = [one.encode(), *map(raw, a)] == [two.encode(), *map(raw, b)]
    assert (enc(one, *a) == enc(two, *b)) is same
    assert (H(one, *a) == H(two, *b)) is same


@pytest.mark.parametrize("n", [0, -1, 257])
def test_below_takes_1_to_256(n: int) -> None:
    with pytest.raises(ValueError, match="256"):
        Stream(bytes(32), "x").below(n)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 256))
def test_below_throws_biased_bytes_away(seed: bytes, n: int) -> None:
    """Written out once more from fair-play 4, byte by byte."""
    key = M(seed, "stream-key", "x")
    source = [byte for block in range(8) for byte in M(key, "stream", block)]
    wanted = [byte % n for byte in source if byte < 256 // n * n]
    stream = Stream(seed, "x")
    assert [stream.below(n) for _ in range(min(60, len(wanted)))] == wanted[:60]


def test_a_shuffle_is_fair_at_every_place() -> None:
    counts = Counter()
    rounds = 3000
    for i in range(rounds):
        order = Stream(H("seed", i), "shuffle").shuffled(range(5))
        assert sorted(order) == list(range(5))
        counts.update(enumerate(order))
    expected = rounds / 5
    chi = sum((counts[place, value] - expected) ** 2 / expected for place in range(5) for value in range(5))
    assert chi < 45  # 16 degrees of freedom: the chance of more is under one in ten thousand


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-1, 2**53 - 1), st.text(max_size=6)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=8,
)


def depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max((depth(item) for item in value.values()), default=0)
    return 1 + max((depth(item) for item in value), default=0) if isinstance(value, list) else 0


@pytest.mark.parametrize("levels", [5, 3_000, 100_000])
def test_deep_nesting_is_refused_by_every_python(levels: int) -> None:
    with pytest.raises(ValueError, match="nested"):  # 3.12 and later read thousands of levels, 3.11 does not
        parse("[" * levels + "]" * levels)


@given(JSON)
def test_canonical_json_is_its_own_parse(value: Any) -> None:
    if depth(value) > 4:
        with pytest.raises(ValueError, match="nested"):
            canonical(value)
        return
    text = canonical(value)
    assert text.isascii()
    assert parse(text) == value
    assert canonical(parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":1}',
        '{"b":1,"a":2}',
        '{"a": 1}',
        ' {"a":1}',
        '{"a":1}\n',
        '{"a":1.0}',
        '{"a":1e3}',
        "-0",
        "01",
        '"\u00e9"',
        '"\\u00E9"',
        '"\\/"',
        '"\\u0041"',
        "NaN",
        "Infinity",
        "-2",
        "9007199254740992",
        "[[[[[1]]]]]",
        "1" * 5000,
        "[" * 5000,
        '{"a":' * 3000,
        "",
        "{",
        "nul",
        "\ufeff{}",
        "0.5",
        "1E400",
    ],
)
def test_what_is_not_json_of_its_own_parse(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- the kinds differ, all are refusals
        parse(text)


@pytest.mark.parametrize("value", [1.5, math.nan, -2, 2**53, [[[[[]]]]], {"a": [0.0]}])
def test_what_no_message_may_hold(value: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        check(value)
    with pytest.raises(ValueError):  # noqa: PT011
        canonical(value)


def test_limits_that_still_hold() -> None:
    for text in ("9007199254740991", "-1", "[[[[1]]]]", "true", '{"a":{"b":{"c":{}}}}'):
        assert canonical(parse(text)) == text


# -- hands


def hand() -> tuple[deals.Hand, bytes]:
    secret = bytes(range(32))
    return deals.Hand(GAME, "host", 0, deals.deal_commitment(secret, GAME, "host", 0), bytes(32)), secret


def test_an_audit_wants_the_secret_and_exactly_the_cards() -> None:
    dealt, secret = hand()
    cards = dealt.cards(secret)
    strange = next(card for card in deals.DECK if card not in cards)
    for played in range(6):
        so_far = dealt
        for card in cards[:played]:
            so_far = so_far.with_played(card)
        assert so_far.last_card is (played == 5)
        assert so_far.audit(secret)
        assert so_far.audit(secret, cards[played])
        assert not so_far.audit(secret, strange)
        assert not so_far.audit(bytes(32), cards[played])
        if played:
            assert not so_far.audit(secret, cards[0])


def test_six_are_dealt_from_what_remains_or_from_all_52() -> None:
    now, secret = hand()
    left = []
    for number in range(10):
        left.append(len(now.remaining))
        assert now.number == number
        for card in now.cards(secret):
            now = now.with_played(card)
        now = now.after(deals.deal_commitment(secret, GAME, "host", number + 1), bytes(32))
        assert now.played == ()
    assert left == [52, 46, 40, 34, 28, 22, 16, 10, 52, 46]
