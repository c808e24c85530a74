"""The Retrosheet export: every record as the format has it, and Chadwick's reading of whole games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from p2pball.engine.events import BatterCameUp, HalfBegan, PinchHitterSent, Play, StealSettled
from p2pball.engine.moves import STEALS, ChoosePitch, Pitch
from p2pball.engine.state import Phase
from p2pball.engine.terms import Rules, Side, Terms
from p2pball.scorebook.boxscore import box_score
from p2pball.scorebook.game import Game
from p2pball.scorebook.retrosheet import ExportError, Names, event_file, event_text, retrosheet_files
from p2pball.scorebook.teams import DEFAULT_TEAMS, Team
from tests.campaign import books
from tests.scorebook import chadwick
from tests.scorebook.agreement import differences
from tests.scorebook.games import called_early, random_events, random_game
from tests.scorebook.reading import broken_rules
from tests.scorebook.scenes import at_bat, moved, passed, pitched

DAY = "2026-11-30"
FULL = (7, 8, 9)


def record(game: Game) -> str:
    """The event field of the one play that a scene has."""
    told = [m for m in game.moments if isinstance(m.event, Play | StealSettled | PinchHitterSent)]
    return event_text(told[0])


def dice(pitch: Pitch, outcome: list[int], fielder: int = 0, **changes: object) -> str:
    game = moved(at_bat(Rules.DICE, **changes), ChoosePitch(pitch))
    return record(passed(game, outcome=outcome, fielder=fielder))


@pytest.mark.parametrize(
    ("pitch", "rolled", "fielder", "bases", "text"),
    [
        (Pitch.FASTBALL, [2, 3], 1, FULL, "S8.3-H;2-3;1-2"),
        (Pitch.FASTBALL, [1, 2], 0, FULL, "D7.3-H;2-H;1-3"),
        (Pitch.CHANGEUP, [1, 1], 2, FULL, "T9.3-H;2-H;1-H"),
        (Pitch.FASTBALL, [2, 2], 0, FULL, "HR.3-H;2-H;1-H"),
        (Pitch.FASTBALL, [2, 2], 0, (0, 0, 0), "HR"),
        (Pitch.FASTBALL, [2, 3], 1, (0, 0, 0), "S8"),
        (Pitch.FASTBALL, [6, 6], 0, (0, 0, 0), "W"),
        (Pitch.FASTBALL, [6, 6], 0, (7, 0, 0), "W.1-2"),
        (Pitch.FASTBALL, [6, 6], 0, (7, 8, 0), "W.2-3;1-2"),
        (Pitch.FASTBALL, [6, 6], 0, FULL, "W.3-H;2-3;1-2"),
        (Pitch.FASTBALL, [6, 6], 0, (0, 8, 9), "W"),
        (Pitch.FASTBALL, [6, 6], 0, (7, 0, 9), "W.1-2"),
        (Pitch.CURVEBALL, [1, 1], 0, FULL, "WP.3-H;2-3;1-2"),
        (Pitch.CURVEBALL, [1, 1], 0, (0, 0, 0), ""),
        (Pitch.FASTBALL, [3, 3], 0, FULL, "K"),
        (Pitch.FASTBALL, [1, 1], 1, FULL, "8/F"),
        (Pitch.FASTBALL, [4, 5], 2, FULL, "4/P"),
        (Pitch.FASTBALL, [5, 5], 4, FULL, "63/G"),
        (Pitch.FASTBALL, [5, 5], 1, FULL, "3/G"),
        (Pitch.FASTBALL, [5, 5], 0, FULL, "13/G"),
        (Pitch.SCREWBALL, [1, 2], 0, FULL, "64(1)3/GDP"),
        (Pitch.SCREWBALL, [1, 2], 0, (0, 8, 9), "6(B)4(2)/LDP"),
        (Pitch.SCREWBALL, [1, 2], 0, (0, 0, 9), "5(B)5(3)/LDP"),
        (Pitch.SCREWBALL, [1, 2], 0, (0, 0, 0), "63/G"),
    ],
)
def test_every_outcome_is_written_as_the_table_says(
    pitch: Pitch, rolled: list[int], fielder: int, bases: tuple[int, int, int], text: str
) -> None:
    assert dice(pitch, rolled, fielder, bases=bases) == text


def test_b9_a_double_play_with_two_out_is_a_plain_out() -> None:
    assert dice(Pitch.SCREWBALL, [1, 2], bases=FULL, outs=2) == "63/G"


@pytest.mark.parametrize(
    ("base", "rolls", "text"),
    [
        (2, {"pickoff": 1, "steal": 6}, "SB2"),
        (3, {"pickoff": 1, "steal": 6}, "SB3"),
        (2, {"pickoff": 1, "steal": 1}, "CS2(24)"),
        (3, {"pickoff": 1, "steal": 1}, "CS3(25)"),
        (2, {"pickoff": 6}, "POCS2(136)"),
        (3, {"pickoff": 6}, "POCS3(165)"),
    ],
)
def test_steals_are_written_as_the_table_says(base: int, rolls: dict[str, int], text: str) -> None:
    scene = at_bat(phase=Phase.WINDOW, pitcher=12, bases=(2, 0, 0) if base == 2 else (0, 1, 0))
    assert record(passed(moved(scene, STEALS[base]), **rolls)) == text


def test_facts_without_a_record_write_nothing() -> None:
    game = pitched(at_bat(), "2S", "KH")
    assert [event_text(moment) for moment in game.moments if not isinstance(moment.event, Play)] == [""] * len(
        game.moments
    )


def test_c11_the_pinch_hitter_comes_in_at_bat_and_then_in_the_field() -> None:
    terms = Terms(Rules.CARDS, 3)
    game = Game.of(terms, events=random_events(terms, "pinch"))
    records = event_file(game, DAY).splitlines()
    for side, pinch in ((0, "visip010"), (1, "homep010")):
        subs = [i for i, line in enumerate(records) if line.startswith(f"sub,{pinch},")]
        at = records[subs[0]].split(",")
        slot = game.lineup.pinch[side]
        assert at[3:] == [str(side), str(slot), "11"]
        assert re.fullmatch(rf"play,\d,{side},\w+00{slot},\?\?,,NP", records[subs[0] - 1])
        for field in subs[1:]:
            position = next(line for line in records if line.startswith("start,") and f",{side},{slot}," in line)
            assert records[field].split(",")[3:] == position.split(",")[3:]
            assert records[field + 1].split(",")[2] == str(1 - side)


def test_the_four_files_and_their_names() -> None:
    files = retrosheet_files(random_game(Terms(Rules.DICE, 3), "files"), DAY, 2)
    assert sorted(files) == ["2026RBN.EVA", "KTP2026.ROS", "RBN2026.ROS", "TEAM2026"]
    lines = files["2026RBN.EVA"].splitlines()
    assert lines[:6] == [
        "id,RBN202611302",
        "info,visteam,KTP",
        "info,hometeam,RBN",
        "info,date,2026/11/30",
        "info,number,2",
        "info,attendance,0",
    ]
    assert sum(line.startswith("start,") for line in lines) == 18
    assert "" not in lines
    assert files["TEAM2026"] == "KTP,A,Kettle Point,Kettle Point\nRBN,A,Riverbend,Riverbend\n"
    assert files["KTP2026.ROS"].splitlines()[8:] == ["visip009,Vance,,R,R,KTP,P", "visip010,Wynn,,R,R,KTP,X"]


@pytest.mark.parametrize("date", ["2026-1-1", "26-01-01", "2026/01/01", "2026-01-01 ", "", "２０２６-01-01"])
def test_a_date_of_another_form_is_refused(date: str) -> None:
    with pytest.raises(ExportError, match="YYYY-MM-DD"):
        retrosheet_files(random_game(Terms(Rules.DICE, 1), "date"), date)


@pytest.mark.parametrize(
    ("visitors", "home", "codes"),
    [("KTP", "RBN", ("KTP", "RBN")), ("AB", "ABCD", ("ABX", "ABC")), ("OWL", "OWL", ("OWV", "OWL")),
     ("ABV", "ABV", ("ABW", "ABV")), ("AB", "ABX", ("ABV", "ABX"))],
)  # fmt: skip
def test_codes_have_three_letters_and_are_never_the_same(visitors: str, home: str, codes: tuple[str, str]) -> None:
    players = DEFAULT_TEAMS[0].players
    teams = (Team(visitors, "A", players, "X"), Team(home, "B", players, "X"))
    assert Names.of(teams).codes == codes


HOSTILE = Team(
    "AB",
    'O"Neil, & <x> \\ %s %n',
    ("漢字" * 12, "a,b", '"', "'é", "x%dy", "\\", "O'Hara", "😀😀", "-,-"),
    'ph "q",r',
)
LONG = Team("ABXY", "é" * 24, tuple(chr(65 + i) * 24 for i in range(9)), "z" * 24)


@pytest.mark.parametrize("teams", [(HOSTILE, LONG), (LONG, HOSTILE), (HOSTILE, HOSTILE)])
def test_names_of_any_kind_reach_chadwick_without_harm(teams: tuple[Team, Team], tmp_path: Path) -> None:
    game = random_game(Terms(Rules.CARDS, 3), "hostile", teams)
    chadwick.write(tmp_path, retrosheet_files(game, DAY))
    reading = chadwick.read(tmp_path)
    (game_id,) = reading.games
    events = reading.events[game_id]
    wrong = list(differences(game, events, reading.games[game_id], reading.daily[game_id], ""))
    assert [line for line in wrong if not line.startswith("cwbox")] == []
    assert list(broken_rules(game.terms, events)) == []


def test_the_campaign_books_in_short() -> None:
    tally = books.run(30, seed=7)
    assert tally.failures == []
    assert tally.held == 30


def test_a_game_under_way_is_exported_as_far_as_it_went(tmp_path: Path) -> None:
    whole = called_early(random_game(Terms(Rules.CARDS, 3), "under way"), 70)
    game = Game.of(whole.terms, events=[moment.event for moment in whole.moments])
    assert not game.over
    chadwick.write(tmp_path, retrosheet_files(game, DAY))
    (summary,) = chadwick.read(tmp_path).games.values()
    assert (int(summary["AWAY_SCORE_CT"]), int(summary["HOME_SCORE_CT"])) == game.state.runs


def _agrees(game: Game, folder: Path) -> list[str]:
    chadwick.write(folder, retrosheet_files(game, DAY))
    reading = chadwick.read(folder)
    (game_id,) = reading.games
    events = reading.events.get(game_id, [])
    return list(differences(game, events, reading.games[game_id], reading.daily[game_id], reading.boxes[0]))


@pytest.mark.parametrize("rounds", [1, 2, 30, 60, 90])
def test_a_game_ended_by_resignation_has_the_same_numbers_too(rounds: int, tmp_path: Path) -> None:
    """Men on base when it ends count as left, and a starter counts who never threw a pitch."""
    assert _agrees(called_early(random_game(Terms(Rules.CARDS, 3), "resigned"), rounds), tmp_path) == []


def test_a_starter_who_is_pinch_hit_for_before_he_ever_pitched(tmp_path: Path) -> None:
    terms = Terms(Rules.CARDS, 2)
    for seed in range(400):
        events = random_events(terms, f"bats round/{seed}", pinch=False)
        bottom = next(i for i, event in enumerate(events) if isinstance(event, HalfBegan) and event.side is Side.HOME)
        up = [i for i, event in enumerate(events[:bottom]) if isinstance(event, BatterCameUp) and event.slot == 9]
        if up:
            break
    events.insert(up[0] + 1, PinchHitterSent(Side.VISITORS, 9))
    game = Game.of(terms, events=events)
    assert [line.name for line in box_score(game).visitors.pitching] == ["Vance", "Wynn"]
    assert _agrees(game, tmp_path) == []


SPOILS = [
    (r",S(\d)\.1-2\n", r",S\1.1-3\n", True),
    (r",K\n", ",W\n", True),
    (r",HR\n", ",T8\n", False),
    (r",\d/F\n", ",K\n", False),
    (r",W\n", ",D7\n", False),
    (r"/GDP\n", "/LDP\n", False),
]
"""What the first of a text is replaced by, and whether that breaks a rule; some make another legal game."""


def test_the_judges_of_the_campaign_see_a_wrong_export(tmp_path: Path) -> None:
    """Were they blind, the campaign would hold whatever the export said."""
    game = random_game(Terms(Rules.DICE, 9), "judged")
    files = retrosheet_files(game, DAY)
    book = ""
    for day, (text, instead, _) in enumerate(SPOILS, start=1):
        right = event_file(game, f"2026-11-{day:02}")
        assert re.search(text, right), "the game has nothing to spoil"
        book += re.sub(text, instead, right, count=1)
    chadwick.write(tmp_path, {**files, "2026RBN.EVA": book})
    reading = chadwick.read(tmp_path)
    for day, (*spoil, breaks_rules) in enumerate(SPOILS, start=1):
        number = f"RBN202611{day:02}0"
        events, printed = reading.events[number], reading.boxes[day - 1]
        assert list(differences(game, events, reading.games[number], reading.daily[number], printed)), spoil
        assert bool(list(broken_rules(game.terms, events))) is breaks_rules, spoil


def test_the_sides_have_ids_of_their_own() -> None:
    names = Names.of(DEFAULT_TEAMS)
    ids = {names.player(side, slot, pinch=pinch) for side in Side for slot in range(1, 10) for pinch in (False,)}
    ids |= {names.player(side, 1, pinch=True) for side in Side}
    assert len(ids) == 20
    assert all(len(name) == 8 for name in ids)
