"""Hidden hands: deal commitments, audits, and cards that were not in the hand (fair-play 5)."""

from __future__ import annotations

import pytest

from p2pball.protocol.books import Cheat, CheatKind
from p2pball.verify import Verdict
from tests.duet import CARDS
from tests.script import GUEST, HOST, Script, cards, dice
from tests.verify.proving import proves


def sixth_pitch() -> Script:
    script = cards()
    for _ in range(5):
        script.pitch()
    script.to_pitch()
    return script


def test_a_deal_commitment_missing_or_out_of_place() -> None:
    script = Script(CARDS)
    with pytest.raises(Cheat):
        script.commit(HOST, body={"deal": ""})
    proves(script, HOST, CheatKind.BAD_DEAL)
    script = Script()
    with pytest.raises(Cheat):
        script.commit(HOST, body={"deal": "ab" * 32})
    proves(script, HOST, CheatKind.BAD_DEAL)
    script = cards()
    with pytest.raises(Cheat):
        script.commit(HOST, {"card": script.hand(HOST)[0]}, body={"deal": "ab" * 32})
    proves(script, HOST, CheatKind.BAD_DEAL)
    script = sixth_pitch()
    with pytest.raises(Cheat):
        script.commit(HOST, {"card": script.hand(HOST)[0]}, body={"deal": ""})
    proves(script, HOST, CheatKind.BAD_DEAL)


@pytest.mark.parametrize("secret", ["", "ab" * 32])
def test_an_audit_withheld_or_wrong(secret: str) -> None:
    script = sixth_pitch()
    script.commit(HOST, {"card": script.hand(HOST)[0]})
    script.commit(GUEST, {"card": script.hand(GUEST)[0]})
    with pytest.raises(Cheat):
        script.reveal(HOST, body={"hand_secret": secret})
    proves(script, HOST, CheatKind.BAD_DEAL, 3)


def test_an_audit_out_of_place() -> None:
    script = cards()
    script.commit(HOST, {"card": script.hand(HOST)[0]})
    script.commit(GUEST, {"card": script.hand(GUEST)[0]})
    with pytest.raises(Cheat):
        script.reveal(HOST, body={"hand_secret": script.secret(HOST).hex()})
    proves(script, HOST, CheatKind.BAD_DEAL, 2)


def test_a_card_that_was_not_in_the_hand_is_found_by_the_audit() -> None:
    for at in range(6):
        script = cards()
        for pitch in range(6):
            script.to_pitch()
            held = script.hand(HOST)
            hand = script.books.sides["host"].hand
            dealt = hand.cards(script.secret(HOST))
            strange = next(card for card in hand.remaining if card not in dealt)
            script.commit(HOST, {"card": strange if pitch == at else held[0]})
            script.commit(GUEST, {"card": script.hand(GUEST)[0]})
            if pitch < 5:
                script.reveal(HOST)
                script.reveal(GUEST)
        with pytest.raises(Cheat):
            script.reveal(HOST)
        proves(script, HOST, CheatKind.BAD_DEAL, 3)


@pytest.mark.parametrize("secret", ["", "ab" * 32])
def test_the_last_hand_is_opened_by_the_final(secret: str) -> None:
    script = cards()
    script.pitch()
    script.resign(GUEST)
    with pytest.raises(Cheat):
        script.final(HOST, body={"hand_secret": secret})
    proves(script, HOST, CheatKind.BAD_DEAL, 3)


def test_a_hand_of_which_nothing_was_played_is_opened_all_the_same() -> None:
    script = cards()
    script.resign(GUEST)
    with pytest.raises(Cheat):
        script.final(HOST, body={"hand_secret": "ab" * 32})
    proves(script, HOST, CheatKind.BAD_DEAL, 3)


def test_a_card_that_was_not_in_the_hand_is_found_by_the_final() -> None:
    script = cards()
    hand = script.books.sides["host"].hand
    strange = next(card for card in hand.remaining if card not in script.hand(HOST))
    script.round({"card": strange}, {"card": script.hand(GUEST)[0]})
    script.resign(GUEST)
    with pytest.raises(Cheat):
        script.final(HOST)
    proves(script, HOST, CheatKind.BAD_DEAL, 3)


def test_a_dropped_round_deals_and_plays_nothing() -> None:
    """A hand counts as played out, and the next as dealt, when both reveals are in (fair-play 3)."""
    script = sixth_pitch()
    script.commit(HOST, {"card": script.hand(HOST)[0]})
    script.commit(GUEST, {"card": script.hand(GUEST)[0]})
    script.reveal(HOST)
    script.resign(GUEST)
    assert script.books.sides["host"].hand.number == 0
    script.final(HOST)
    script.final(GUEST)
    assert script.verify().verdict is Verdict.COMPLETE


def test_no_hand_secret_in_a_final_of_dice() -> None:
    script = dice()
    script.resign(GUEST)
    with pytest.raises(Cheat):
        script.final(HOST, body={"hand_secret": "ab" * 32})
    proves(script, HOST, CheatKind.BAD_DEAL, 2)


def test_decks_are_shuffled_anew_when_under_six_cards_remain() -> None:
    script = cards()
    sizes = []
    while script.books.expect.due.value != "over":
        hand = script.books.sides["host"].hand
        if not sizes or sizes[-1][0] != hand.number:
            sizes.append((hand.number, len(hand.remaining)))
        script.to_pitch()
        if script.books.expect.due.value != "over":
            script.pitch()
        if len(sizes) == 10:
            break
    assert [left for _, left in sizes] == [52, 46, 40, 34, 28, 22, 16, 10, 52, 46][: len(sizes)]
