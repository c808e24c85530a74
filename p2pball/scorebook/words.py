"""The play by play: every fact in the present tense, for either player or for those who look on."""

from __future__ import annotations

from typing import assert_never

from p2pball.engine.cards import is_joker
from p2pball.engine.events import (
    Advance,
    BatterCameUp,
    CardsPlayed,
    ContactRolled,
    DiceRolled,
    Event,
    GameBegan,
    GameEnded,
    HalfBegan,
    HandsDealt,
    Outcome,
    PinchHitterSent,
    PitchChosen,
    Play,
    RunnerSent,
    StealSettled,
    WindowHeld,
)
from p2pball.engine.terms import Seat, Side
from p2pball.frozen import frozen
from p2pball.scorebook import pitches
from p2pball.scorebook.game import Game, Moment
from p2pball.scorebook.phrases import card_words, half_words, help_of, ordinal, outs_words, score_words, toward

_VERBS = {
    Outcome.SINGLE: "singles",
    Outcome.DOUBLE: "doubles",
    Outcome.TRIPLE: "triples",
    Outcome.HOME_RUN: "homers",
    Outcome.WALK: "walks",
    Outcome.STRIKEOUT: "strikes out",
    Outcome.FLY_OUT: "flies out",
    Outcome.POP_OUT: "pops out",
    Outcome.GROUND_OUT: "grounds out",
}


def tell(moment: Moment, seat: Seat | None = None) -> str:
    """One fact in words: sentences with a blank between them, empty when there is nothing to say.

    With a seat its player is `you` and the other `rival`; without one everybody has a name.
    """
    event = moment.event
    match event:
        case DiceRolled():
            return pitches.rolled(moment, event, seat)
        case CardsPlayed():
            return pitches.matchup(moment, event, seat)
        case ContactRolled():
            return pitches.contact_rolls(moment, event, seat)
        case PitchChosen():
            return pitches.chosen(moment, event, seat)
        case StealSettled():
            return f"{pitches.steal_rolls(event)} {play_text(moment)}"
        case Play() | PinchHitterSent() | GameEnded():
            return play_text(moment)
        case RunnerSent(slot, base):
            return f"{moment.lineup.name(moment.before.batting, slot)} goes for {ordinal(base)}."
        case HalfBegan():
            return _half(moment, event)
        case BatterCameUp():
            return _came_up(moment, event)
        case GameBegan():
            return _began(moment, event, seat)
        case HandsDealt():
            return "Six new cards for both."
        case WindowHeld():
            return ""
        case _:
            assert_never(event)


def play_text(moment: Moment) -> str:
    """What a fact comes to on the field, rolls left out; empty for facts that move nobody.

    One sentence for the batter, one per runner who moves, then score and outs when they change.
    """
    event = moment.event
    match event:
        case Play():
            return " ".join((*_play(moment, event), *_tail(moment)))
        case StealSettled(slot, base, _, roll, _, safe):
            runner = moment.lineup.name(moment.before.batting, slot)
            caught = "is picked off going to" if roll is None else "is caught stealing"
            return " ".join((f"{runner} {'steals' if safe else caught} {ordinal(base)}.", *_tail(moment)))
        case PinchHitterSent(side, slot):
            team = moment.lineup.team(side)
            return f"{team.pinch} pinch hits for {team.players[slot - 1]}: plus 2 on the card and on the roll."
        case GameEnded():
            return _ended(moment, event)
        case _:
            return ""


def is_play(event: Event) -> bool:
    """Whether a play by play tells this fact: somebody moved, was put out, came in, or the game ended."""
    return isinstance(event, Play | StealSettled | PinchHitterSent | GameEnded)


def is_scoring(moment: Moment) -> bool:
    """Whether a run scored."""
    return moment.before.runs != moment.after.runs


def _play(moment: Moment, play: Play) -> list[str]:
    batter = moment.lineup.name(play.side, play.slot)
    runners = [advance for advance in play.advances if advance.start]
    moves = [_moves(moment, play.side, advance) for advance in sorted(runners, key=lambda a: a.start)]
    match play.outcome:
        case Outcome.WILD_PITCH:
            return ["Wild pitch.", *(moves or ["Nobody moves."])]
        case Outcome.WALK if play.joker:
            return [f"{batter} walks on the joker.", *moves]
        case Outcome.DOUBLE_PLAY:
            return _double_play(moment, play, batter)
        case outcome:
            place = f" {toward(play.fielder)}" if play.fielder else ""
            return [f"{batter} {_VERBS[outcome]}{place}.", *moves]


def _double_play(moment: Moment, play: Play, batter: str) -> list[str]:
    """On the ground with a man on first, else a liner; with no second man out a plain ground out (B9)."""
    bases = [base for base in play.outs if base]
    if not bases:
        return [f"{batter} grounds out {toward(6)}."]
    runner = moment.lineup.name(play.side, moment.before.bases[bases[0] - 1])
    if bases[0] == 1:
        return [f"{batter} grounds into a double play.", f"{runner} is out at 2nd."]
    return [f"{batter} lines into a double play.", f"{runner} is doubled off {ordinal(bases[0])}."]


def _moves(moment: Moment, side: Side, advance: Advance) -> str:
    runner = moment.lineup.name(side, advance.slot)
    return f"{runner} scores." if advance.end == 4 else f"{runner} to {ordinal(advance.end)}."


def _tail(moment: Moment) -> list[str]:
    before, after = moment.before, moment.after
    told = []
    if before.runs != after.runs:
        told.append(f"{score_words(after.runs, moment.lineup, before.batting)}.")
    if told or before.outs != after.outs:
        told.append(outs_words(after.outs))
    return told


def _ended(moment: Moment, event: GameEnded) -> str:
    runs = moment.after.runs
    if event.winner is None:
        return f"The game is a draw. {score_words(runs, moment.lineup)}."
    winner = moment.lineup.team(event.winner).name
    return f"{winner} wins. {score_words(runs, moment.lineup, event.winner)}."


def _half(moment: Moment, event: HalfBegan) -> str:
    said = f"{half_words(event.inning, event.side)}. {score_words(moment.after.runs, moment.lineup)}."
    if event.pitcher is None:
        return said
    pitcher = moment.lineup.pitcher(event.side)
    return f"{said} {pitcher} pitches with {card_words(event.pitcher)}: {help_of(event.pitcher, pitching=True)}."


def _came_up(moment: Moment, event: BatterCameUp) -> str:
    batter = moment.lineup.name(event.side, event.slot)
    if event.character is None:
        return ""  # the situation line names the batter
    if is_joker(event.character):
        return f"{batter} draws a joker: a walk."
    return f"{batter} bats with {card_words(event.character)}: {help_of(event.character, pitching=False)}."


def _began(moment: Moment, event: GameBegan, seat: Seat | None) -> str:
    home, visitors = moment.lineup.team(Side.HOME), moment.lineup.team(Side.VISITORS)
    said = f"{visitors.name} at {home.name}."
    if event.tossed:
        said = f"The coin is tossed. {said}"
    if seat is None:
        return said
    return f"{said} You are {'home' if event.home is seat else 'the visitors'}."


@frozen
class HalfInning:
    """One half as it was told: its heading and its plays, each with the moment it tells."""

    inning: int
    side: Side
    plays: tuple[tuple[Moment, str], ...]

    @property
    def heading(self) -> str:
        """Top of the 1st, and so on."""
        return half_words(self.inning, self.side)


def play_by_play(game: Game, *, scoring_only: bool = False) -> tuple[HalfInning, ...]:
    """The plays of a game, half by half; halves with nothing to tell are left out when only scores are asked for."""
    halves: list[tuple[int, Side, list[tuple[Moment, str]]]] = []
    for moment in game.moments:
        if isinstance(moment.event, HalfBegan):
            halves.append((moment.event.inning, moment.event.side, []))
        elif is_play(moment.event) and halves and (is_scoring(moment) or not scoring_only):
            halves[-1][2].append((moment, play_text(moment)))
    return tuple(HalfInning(n, side, tuple(told)) for n, side, told in halves if told or not scoring_only)
