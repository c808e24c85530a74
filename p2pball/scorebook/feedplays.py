"""Plays as objects with the public names of the MLB feed, for the JSON export and for JSON lines alike."""

from __future__ import annotations

from typing import Any, assert_never

from p2pball.engine.cards import NAMES as CARD_NAMES
from p2pball.engine.events import (
    Advance,
    Call,
    CardsPlayed,
    DiceRolled,
    Outcome,
    PinchHitterSent,
    Play,
    StealSettled,
)
from p2pball.engine.terms import Side
from p2pball.scorebook.game import Moment
from p2pball.scorebook.phrases import OUTCOMES
from p2pball.scorebook.retrosheet import Names, event_text
from p2pball.scorebook.teams import PITCHER_SLOT
from p2pball.scorebook.words import play_text

_OUTCOMES = {
    Outcome.SINGLE: ("single", "Single"),
    Outcome.DOUBLE: ("double", "Double"),
    Outcome.TRIPLE: ("triple", "Triple"),
    Outcome.HOME_RUN: ("home_run", "Home Run"),
    Outcome.WALK: ("walk", "Walk"),
    Outcome.STRIKEOUT: ("strikeout", "Strikeout"),
    Outcome.FLY_OUT: ("field_out", "Flyout"),
    Outcome.POP_OUT: ("field_out", "Pop Out"),
    Outcome.GROUND_OUT: ("field_out", "Groundout"),
    Outcome.WILD_PITCH: ("wild_pitch", "Wild Pitch"),
}
_CALLS = {
    Call.BALL: ("B", "Ball"),
    Call.STRIKE: ("S", "Strike"),
    Call.FOUL: ("F", "Foul"),
    Call.IN_PLAY: ("X", "In play"),
}
_BASES = (None, "1B", "2B", "3B", "score")
PlayEvent = Play | StealSettled | PinchHitterSent


def event_type(event: PlayEvent) -> tuple[str, str]:
    """The feed's `eventType` and `event` of a play."""
    match event:
        case Play(outcome=Outcome.DOUBLE_PLAY, outs=outs):
            if len(outs) < 2:
                return _OUTCOMES[Outcome.GROUND_OUT]
            on_the_ground = outs[0] == 1
            return (
                ("grounded_into_double_play", "Grounded Into DP") if on_the_ground else ("double_play", "Double Play")
            )
        case Play(outcome=outcome):
            return _OUTCOMES[outcome]
        case PinchHitterSent():
            return "offensive_substitution", "Offensive Substitution"
        case StealSettled(base=base, roll=roll, safe=safe):
            kind = ("stolen_base", "Stolen Base") if safe else ("caught_stealing", "Caught Stealing")
            if roll is None:
                kind = ("pickoff_caught_stealing", "Pickoff Caught Stealing")
            return f"{kind[0]}_{base}b", f"{kind[1]} {base}B"
        case _:
            assert_never(event)


def play_line(moment: Moment) -> dict[str, Any] | None:
    """The JSON line `{"t":"play", ...}` of a moment, None for one that is no play."""
    if not isinstance(moment.event, PlayEvent):
        return None
    return {"t": "play", **play_object(moment, moment.event)}


def play_object(moment: Moment, event: PlayEvent) -> dict[str, Any]:
    """A play by itself: type, words, Retrosheet text, where in the game, who moved, and what stands after it."""
    kind, name = event_type(event)
    after = moment.after
    return {
        "eventType": kind,
        "event": name,
        "text": play_text(moment),
        "retrosheet": event_text(moment),
        **half(moment),
        "batter": batter(moment),
        "pitcher": pitcher(moment),
        "runners": runners(moment, event),
        "rbi": runs_batted_in(event),
        "outs": after.outs,
        "awayScore": after.runs[Side.VISITORS],
        "homeScore": after.runs[Side.HOME],
        "isScoringPlay": after.runs != moment.before.runs,
    }


def half(moment: Moment) -> dict[str, Any]:
    """Inning and half a moment belongs to."""
    top = moment.before.batting is Side.VISITORS
    return {"inning": moment.before.inning, "halfInning": "top" if top else "bottom", "isTopInning": top}


def runs_batted_in(event: PlayEvent) -> int:
    """Runs that count as batted in: all but those on a wild pitch."""
    return event.runs if isinstance(event, Play) and event.outcome is not Outcome.WILD_PITCH else 0


def person(moment: Moment, side: Side, slot: int) -> dict[str, Any]:
    """Whoever stands in a slot: `id` from side and slot, and the name."""
    lineup = moment.lineup
    number = Names.of(lineup.teams).player(side, slot, pinch=lineup.pinch[side] == slot)
    return {"id": number, "fullName": lineup.name(side, slot)}


def batter(moment: Moment) -> dict[str, Any]:
    """The batter of a moment."""
    return person(moment, moment.before.batting, moment.before.slot)


def pitcher(moment: Moment) -> dict[str, Any]:
    """The pitcher of a moment."""
    return person(moment, moment.before.batting.other, PITCHER_SLOT)


def runners(moment: Moment, event: PlayEvent) -> list[dict[str, Any]]:
    """Everyone who moved or was put out, the lead runner first, the batter last."""
    match event:
        case Play():
            gone = [_runner(moment, event, advance.slot, advance) for advance in event.advances]
            outs = [_runner(moment, event, _slot(moment, base), base) for base in event.outs]
            return gone + outs
        case StealSettled(slot, base, _, _, _, safe):
            return [_runner(moment, event, slot, Advance(slot, base - 1, base) if safe else base - 1)]
        case PinchHitterSent():
            return []
        case _:
            assert_never(event)


def _slot(moment: Moment, base: int) -> int:
    return moment.before.bases[base - 1] if base else moment.before.slot


def _runner(moment: Moment, event: PlayEvent, slot: int, moved: Advance | int) -> dict[str, Any]:
    """One runner; `moved` is his advance, or the base he left when he was put out."""
    kind, name = event_type(event)
    start, end = (moved.start, moved.end) if isinstance(moved, Advance) else (moved, 0)
    scores = end == 4
    return {
        "movement": {
            "originBase": _BASES[start],
            "start": _BASES[start],
            "end": _BASES[end],
            "outBase": _out_base(event, start) if not end else None,
            "isOut": not end,
            "outNumber": _out_number(moment, event, start) if not end else None,
        },
        "details": {
            "event": name,
            "eventType": kind,
            "runner": person(moment, moment.before.batting, slot),
            "isScoringEvent": scores,
            "rbi": scores and runs_batted_in(event) > 0,
            "earned": scores,
        },
    }


def _out_base(event: PlayEvent, start: int) -> str | None:
    """Where a man was put out: the batter at first, a forced or stealing runner a base on, one off base on a liner."""
    if isinstance(event, StealSettled):
        return f"{event.base}B"
    if not start:
        return "1B"
    return "2B" if start == 1 else _BASES[start]


def _out_number(moment: Moment, event: PlayEvent, start: int) -> int:
    """Which out of the half it was: on the ground the forced runner comes first, on a liner the batter (B9)."""
    outs = event.outs if isinstance(event, Play) else (start,)
    order = outs if outs[0] == 1 else tuple(sorted(outs))
    return moment.before.outs + order.index(start) + 1


def pitch_object(moment: Moment, event: CardsPlayed | DiceRolled, number: int) -> dict[str, Any]:
    """A pitch as the feed's `playEvents` have it, with the cards or dice that made it."""
    state = moment.after
    count = {"balls": state.balls, "strikes": state.strikes, "outs": moment.before.outs}
    base = {"isPitch": True, "type": "pitch", "pitchNumber": number, "count": count}
    match event:
        case CardsPlayed(thrown, swung, pitcher_value, batter_value, call):
            code, description = _CALLS[call]
            details = {
                "call": {"code": code, "description": description},
                "description": description,
                "isInPlay": call is Call.IN_PLAY,
                "isStrike": call in (Call.STRIKE, Call.FOUL),
                "isBall": call is Call.BALL,
            }
            cards = {
                "pitcherCard": CARD_NAMES[thrown],
                "batterCard": CARD_NAMES[swung],
                "pitcherValue": pitcher_value,
                "batterValue": batter_value,
            }
            return {**base, "details": details, "cards": cards}
        case DiceRolled(pitch, at_random, first, second, outcome):
            details = {"type": {"description": pitch.value}, "description": OUTCOMES[outcome]}
            return {**base, "details": details, "dice": {"first": first, "second": second, "random": at_random}}
        case _:
            assert_never(event)
