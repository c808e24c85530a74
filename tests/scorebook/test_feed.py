"""The JSON export: the MLB feed's names, one play an object, and every number equal to the box."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pball.engine.events import BatterCameUp, CardsPlayed, DiceRolled, PinchHitterSent, Play, StealSettled
from p2pball.engine.moves import PINCH, STEALS, ChoosePitch, Pitch
from p2pball.engine.state import Phase
from p2pball.engine.terms import Rules, Side, Terms
from p2pball.scorebook.boxscore import box_score
from p2pball.scorebook.feed import feed
from p2pball.scorebook.feedplays import play_line
from p2pball.scorebook.game import Game
from p2pball.scorebook.words import play_text
from tests.scorebook.games import random_events, random_game, random_terms
from tests.scorebook.scenes import at_bat, moved, passed, pitched, started

EVENT_TYPES = {
    *("single", "double", "triple", "home_run", "walk", "strikeout", "field_out", "wild_pitch"),
    *("grounded_into_double_play", "double_play", "offensive_substitution"),
    *(f"{kind}_{base}b" for kind in ("stolen_base", "caught_stealing", "pickoff_caught_stealing") for base in (2, 3)),
}


def lines(game: Game) -> list[dict[str, object]]:
    return [line for moment in game.moments if (line := play_line(moment))]


def test_a_play_line_has_type_words_and_the_retrosheet_text() -> None:
    game = moved(at_bat(Rules.DICE), ChoosePitch(Pitch.FASTBALL))
    (line,) = lines(passed(game, outcome=[1, 2], fielder=2))
    runners = line.pop("runners")
    assert line == {
        "t": "play",
        "eventType": "double",
        "event": "Double",
        "text": "Cruz doubles to right. Brooks to 3rd. Abbott scores. Riverbend 5, Kettle Point 3. Nobody out.",
        "retrosheet": "D9.2-H;1-3",
        "inning": 7,
        "halfInning": "bottom",
        "isTopInning": False,
        "batter": {"id": "homep003", "fullName": "Cruz"},
        "pitcher": {"id": "visip009", "fullName": "Vance"},
        "rbi": 1,
        "outs": 0,
        "awayScore": 3,
        "homeScore": 5,
        "isScoringPlay": True,
    }
    assert isinstance(runners, list)
    assert [(r["movement"]["start"], r["movement"]["end"], r["details"]["runner"]["fullName"]) for r in runners] == [
        ("2B", "score", "Abbott"),
        ("1B", "3B", "Brooks"),
        (None, "2B", "Cruz"),
    ]


@pytest.mark.parametrize(
    ("bases", "outs", "kind", "put_out"),
    [
        ((2, 1, 0), 0, "grounded_into_double_play", [("1B", "2B", 1), (None, "1B", 2)]),
        ((0, 1, 0), 1, "double_play", [(None, "1B", 2), ("2B", "2B", 3)]),
        ((0, 0, 0), 0, "field_out", [(None, "1B", 1)]),
    ],
)
def test_b9_both_men_of_a_double_play(
    bases: tuple[int, int, int], outs: int, kind: str, put_out: list[tuple[str | None, str, int]]
) -> None:
    game = moved(at_bat(Rules.DICE, bases=bases, outs=outs), ChoosePitch(Pitch.SCREWBALL))
    line = lines(passed(game, outcome=[2, 3]))[0]
    assert line["eventType"] == kind
    movements = [runner["movement"] for runner in line["runners"]]  # type: ignore[attr-defined]
    gone = sorted(((m["start"], m["outBase"], m["outNumber"]) for m in movements), key=lambda man: man[2])
    assert gone == put_out


def test_steals_and_the_pinch_hitter_have_their_names() -> None:
    scene = moved(at_bat(phase=Phase.WINDOW, bases=(2, 0, 0)), STEALS[2])
    assert lines(passed(scene, steal=6))[0]["eventType"] == "stolen_base_2b"
    caught = lines(passed(scene, steal=1))[0]
    assert caught["eventType"] == "caught_stealing_2b"
    assert caught["runners"][0]["movement"] == {  # type: ignore[index]
        "originBase": "1B",
        "start": "1B",
        "end": None,
        "outBase": "2B",
        "isOut": True,
        "outNumber": 1,
    }
    king = moved(at_bat(phase=Phase.WINDOW, pitcher=12), STEALS[3])
    assert lines(passed(king, pickoff=5))[0]["event"] == "Pickoff Caught Stealing 3B"
    (line,) = lines(moved(at_bat(phase=Phase.WINDOW), PINCH))
    assert (line["eventType"], line["retrosheet"], line["runners"]) == ("offensive_substitution", "NP", [])
    assert line["batter"] == {"id": "homep010", "fullName": "Quincy"}


def test_facts_that_are_no_plays_have_no_line() -> None:
    game = pitched(at_bat(), "2S", "KH")
    assert [play_line(moment) for moment in game.moments] == [None] * len(game.moments)


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 10**6))
def test_the_feed_of_any_game_agrees_with_its_box(rng: random.Random, seed: int) -> None:
    game = random_game(random_terms(rng), str(seed))
    made = feed(game, "2026-11-30")
    assert json.loads(json.dumps(made)) == made
    box, live = box_score(game), made["liveData"]
    assert made["gameData"]["status"] == {"detailedState": "Final"}
    plays = live["plays"]["allPlays"]
    assert [play["atBatIndex"] for play in plays] == list(range(len(plays)))
    assert all(play["about"]["isComplete"] and play["result"]["eventType"] in EVENT_TYPES for play in plays)
    assert (plays[-1]["result"]["awayScore"], plays[-1]["result"]["homeScore"]) == game.state.runs
    for side, name in ((Side.VISITORS, "away"), (Side.HOME, "home")):
        top = side is Side.VISITORS
        own = [play for play in plays if play["about"]["isTopInning"] is top]
        moves = [runner for play in own for runner in play["runners"]]
        line, team = box.line.line(side), box.side(side)
        assert sum(runner["movement"]["end"] == "score" for runner in moves) == line.runs
        assert sum(runner["movement"]["isOut"] for runner in moves) == sum(
            p.outs for p in box.side(side.other).pitching
        )
        batted = [play["result"].get("rbi", 0) for play in own]
        assert sum(batted) == team.total("rbi")
        assert live["linescore"]["teams"][name] == {
            "runs": line.runs,
            "hits": line.hits,
            "errors": 0,
            "leftOnBase": line.left,
        }
        assert [inning[name].get("runs") for inning in live["linescore"]["innings"]][: len(line.innings)] == list(
            line.innings
        )
        players = live["boxscore"]["teams"][name]["players"]
        assert sum(player["stats"]["batting"]["hits"] for player in players.values()) == line.hits
        assert set(players) <= set(made["gameData"]["players"])
        pitchers = live["boxscore"]["teams"][name]["pitchers"]
        assert [players[f"ID{number}"]["stats"]["pitching"]["inningsPitched"] for number in pitchers] == [
            p.ip for p in team.pitching
        ]
    thrown = sum(isinstance(m.event, CardsPlayed | DiceRolled) for m in game.moments)
    events = [event for play in plays for event in play["playEvents"]]
    assert sum(event["isPitch"] for event in events) == thrown
    told = [play_text(m) for m in game.moments if isinstance(m.event, Play | StealSettled | PinchHitterSent)]
    assert [line["text"] for line in lines(game)] == told


def up(scene: Game) -> Game:
    """The scene with its batter just come up."""
    return Game(scene.start, scene.lineup).add([BatterCameUp(Side.HOME, 3, 1 if scene.start.in_cards else None)])


def last_play(game: Game) -> dict[str, Any]:
    play: dict[str, Any] = feed(started(game))["liveData"]["plays"]["allPlays"][0]
    return play


def test_b4_an_appearance_cut_by_a_caught_runner_ends_with_him() -> None:
    play = last_play(passed(moved(up(at_bat(bases=(2, 0, 0), outs=2)), STEALS[2]), steal=1))
    assert play["result"]["eventType"] == "caught_stealing_2b"
    assert play["about"]["isComplete"] is True
    assert play["matchup"]["batter"]["fullName"] == "Cruz"


def test_b3_a_game_won_on_a_wild_pitch_ends_with_it() -> None:
    game = moved(up(at_bat(Rules.DICE, inning=9, runs=(4, 4), bases=(0, 0, 1))), ChoosePitch(Pitch.CURVEBALL))
    game = passed(game, outcome=[1, 1])
    assert game.state.phase is Phase.OVER
    play = last_play(game)
    assert play["result"] == {
        "type": "atBat",
        "awayScore": 4,
        "homeScore": 5,
        "event": "Wild Pitch",
        "eventType": "wild_pitch",
        "description": "Wild pitch. Abbott scores. Riverbend 5, Kettle Point 4. Nobody out.",
        "rbi": 0,
    }
    assert play["about"]["isComplete"] is True


def test_a_game_that_was_resigned_is_completed_early() -> None:
    terms = Terms(Rules.DICE, 2)
    game = Game.of(terms, events=random_events(terms, "resigned")[:20]).call("by resignation")
    assert feed(game)["gameData"]["status"] == {"detailedState": "Completed Early"}


def test_a_game_under_way_has_its_last_batter_still_up() -> None:
    terms = Terms(Rules.CARDS, 2)
    events = random_events(terms, "way")
    for n in range(2, len(events), 5):
        made = feed(Game.of(terms, events=events[:n]))
        assert made["gameData"]["status"] == {"detailedState": "In Progress"}
        assert all(play["about"]["isComplete"] for play in made["liveData"]["plays"]["allPlays"][:-1])
