"""The page of a game: whole and well formed, harmless whatever the names, readable without script, sight or a desk."""

from __future__ import annotations

import re
import subprocess
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pball.computer import cards_win, dice_play
from p2pball.engine.state import State
from p2pball.engine.terms import Rules, Terms
from p2pball.scorebook.boxscore import box_score
from p2pball.scorebook.game import Game
from p2pball.scorebook.html import Extras, page
from p2pball.scorebook.style import STYLE
from p2pball.scorebook.svg import on_base, percent
from p2pball.scorebook.teams import DEFAULT_TEAMS, Team, Teams
from p2pball.scorebook.winchance import most_valuable, swings
from p2pball.scorebook.words import play_by_play
from tests import needs
from tests.scorebook.games import called_early, random_game

VOID = {"meta"}
RECORD = (("Verdict", "COMPLETE"), ("Chain", "a41f" * 16))
HOSTILE = Team(
    "BAD",
    "</style><script>x",
    (
        "<script>x</script>",
        '"><b onclick=x>',
        "&amp;lt;",
        "'--><!--",
        "]]>",
        "<svg onload=x>",
        "שלום",
        "\u0301" * 24,
        "%s{}",
    ),
    "</title><img src=x>",
)


def chance(state: State) -> float:
    return 1 - (cards_win if state.in_cards else dice_play).visitors_chance(state)


def extras(game: Game) -> Extras:
    return Extras(swings(game, chance), game.state.in_cards, "30 November 2026", RECORD)


def whole(rules: Rules = Rules.DICE, teams: Teams = DEFAULT_TEAMS, innings: int = 3) -> tuple[Game, str]:
    game = random_game(Terms(rules, innings), "page", teams)
    return game, page(game, extras(game))


class Reader(HTMLParser):
    """Tags in balance, with their attributes and the text in each, as a browser would have them."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), f"an attribute of {tag} twice"
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.append((self.open[-1], data))


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("teams", [DEFAULT_TEAMS, (HOSTILE, DEFAULT_TEAMS[1]), (HOSTILE, HOSTILE)])
def test_the_page_is_well_formed_and_has_no_script_and_nothing_to_fetch(rules: Rules, teams: Teams) -> None:
    _, text = whole(rules, teams)
    reader = read(text)
    kinds = {tag for tag, _ in reader.tags}
    assert kinds <= {
        *("html", "head", "meta", "title", "style", "body", "main", "header", "h1", "h2", "h3", "p", "section"),
        *("div", "table", "caption", "thead", "tbody", "tr", "td", "th", "abbr", "bdi", "span", "strong", "ol", "ul"),
        *("li", "figure", "figcaption", "dl", "dt", "dd"),
        *("svg", "symbol", "use", "path", "line", "polyline", "circle", "text", "desc"),
    }
    for tag, attributes in reader.tags:
        assert not [name for name in attributes if name.startswith("on")]
        assert "src" not in attributes
        href = attributes.get("href")
        assert href is None or (tag == "use" and href.startswith("#b"))
    assert "url(" not in text
    assert "http:" not in text
    assert "default-src 'none'" in text
    ids = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in reader.tags:
        assert set((attributes.get("aria-labelledby") or "").split()) <= set(ids)


def test_names_are_shown_as_they_are() -> None:
    _, text = whole(Rules.DICE, (HOSTILE, DEFAULT_TEAMS[1]), 9)
    shown = {data for tag, data in read(text).texts if tag == "bdi"}
    assert set(HOSTILE.players) <= shown


def test_everything_of_the_books_is_on_the_page() -> None:
    game, text = whole(Rules.CARDS, innings=9)
    reader = read(text)
    words = [data.strip() for _, data in reader.texts]
    for half in play_by_play(game):
        assert half.heading in words
        for _, told in half.plays:
            assert told in words
    box = box_score(game)
    numbers = [data for tag, data in reader.texts if tag == "td"]
    for team in (box.visitors, box.home):
        for batter in team.batting:
            assert batter.name in words
        for pitcher in team.pitching:
            assert pitcher.ip in numbers
    assert {"COMPLETE", "a41f" * 16, "Verdict", "Chain"} <= set(words)
    assert any("estimate" in word for word in words)
    assert not any("Exact" in word for word in words)
    best = most_valuable(swings(game, chance))
    assert best is not None
    assert sum("best" in (attributes.get("class") or "") for tag, attributes in reader.tags if tag == "circle") == 1
    assert f" {percent(best.before)} to {percent(best.after)}." in " ".join(words)


def test_a_screen_reader_has_a_name_for_every_picture_and_table() -> None:
    _, text = whole()
    reader = read(text)
    assert [tag for tag, attributes in reader.tags if tag == "html" and attributes.get("lang") == "en"] == ["html"]
    for tag, attributes in reader.tags:
        if tag == "svg":
            assert attributes.get("aria-hidden") or (attributes["role"] == "img")
            assert attributes.get("aria-hidden") or attributes.get("aria-label") or attributes.get("aria-labelledby")
        if tag == "th":
            assert attributes["scope"] in ("row", "col")
    tables = sum(tag == "table" for tag, _ in reader.tags)
    assert tables == sum(tag == "caption" for tag, _ in reader.tags) == 5
    headings = [int(tag[1]) for tag, _ in reader.tags if re.fullmatch(r"h\d", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(two - one <= 1 for one, two in pairwise(headings))


def test_a_scoring_play_is_marked_by_more_than_colour() -> None:
    game, text = whole(innings=9)
    scoring = [told for half in play_by_play(game, scoring_only=True) for _, told in half.plays]
    strong = [data for tag, data in read(text).texts if tag == "strong"]
    assert strong[:-1] == scoring


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_words_stand_out_from_the_paper_in_light_and_dark() -> None:
    """Contrast of 4.5 to 1, as WCAG 2 asks for text."""
    palettes = re.findall(
        r"--ink: (#\w{6}); --soft: (#\w{6}); --rule: #\w{6}; --paper: (#\w{6}); --mark: (#\w{6})", STYLE
    )
    assert len(palettes) == 2
    for ink, soft, paper, mark in palettes:
        for colour in (ink, soft, mark):
            light, dark = sorted((luminance(colour), luminance(paper)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(Rules), st.integers(0, 60))
def test_a_game_cut_after_any_round_has_a_page(rules: Rules, n: int) -> None:
    terms = Terms(rules, 1)
    rounds = list(random_game(terms, "cut").rounds())[:n]
    game = Game.of(terms, events=[moment.event for moments in rounds for moment in moments])
    for more in (None, extras(game)):
        reader = read(page(game, more))
        told = " ".join(data for _, data in reader.texts)
        assert ("not finished" in told) is (game.state.phase.value != "over")


def test_a_draw_is_called_one() -> None:
    terms = Terms(Rules.DICE, 1, 0)
    drawn = next(g for n in range(200) if len(set((g := random_game(terms, f"draw/{n}")).state.runs)) == 1)
    assert "a draw" in page(drawn)


def test_a_game_that_was_resigned_says_so() -> None:
    game = called_early(random_game(Terms(Rules.DICE, 2), "resigned"), 20)
    text = page(game, extras(game))
    assert "ended by resignation" in text
    assert "not finished" not in text


@pytest.mark.parametrize(("chance", "shown"), [(0.0, "0%"), (0.001, "1%"), (0.5, "50%"), (0.999, "99%"), (1.0, "100%")])
def test_an_open_game_is_never_certain(chance: float, shown: str) -> None:
    assert percent(chance) == shown


def test_bases_in_words() -> None:
    state = State(Terms())
    assert [on_base(state.but(bases=bases)) for bases in ((0, 0, 0), (0, 5, 0), (1, 0, 3), (1, 2, 3))] == [
        "bases empty",
        "on 2nd",
        "on 1st and 3rd",
        "bases full",
    ]


@pytest.fixture
def chromium(tmp_path: Path) -> list[str]:
    return [
        needs.program("chromium"),
        *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
        f"--user-data-dir={tmp_path / 'profile'}",
    ]


def dom(chromium: list[str], file: Path) -> str:
    command = [*chromium, "--dump-dom", file.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


def test_a_browser_runs_nothing_that_a_name_asks_for(chromium: list[str], tmp_path: Path) -> None:
    _, text = whole(Rules.CARDS, (HOSTILE, DEFAULT_TEAMS[1]))
    planted = text.replace("</main>", "<script>document.title = 'run'</script></main>")
    file = tmp_path / "page.html"
    file.write_text(text, encoding="utf-8")
    seen = read(dom(chromium, file))
    assert "script" not in {tag for tag, _ in seen.tags}
    assert any("<script>x" in data for _, data in seen.texts)
    file.write_text(planted, encoding="utf-8")
    assert "<title>run</title>" not in dom(chromium, file), "the page's own policy must stop any script"


MEASURE = """<!DOCTYPE html><title></title><iframe style="width:{width}px;height:800px;border:0"></iframe><script>
const frame = document.querySelector("iframe");
frame.onload = () => {{
  const root = frame.contentDocument.documentElement;
  const box = frame.contentDocument.querySelector("svg.curve").getBoundingClientRect();
  document.title = [root.scrollWidth, root.clientWidth, box.width, box.height].map(Math.round).join(" ");
}};
frame.srcdoc = {page};
</script>"""


@pytest.mark.parametrize("width", [320, 390, 1000])
def test_the_page_fits_a_phone_and_a_desk(width: int, chromium: list[str], tmp_path: Path) -> None:
    long = Team("LONG", "W" * 24, tuple(f"{n}{'W' * 23}" for n in range(9)), "漢" * 24)
    _, text = whole(Rules.CARDS, (long, long), 9)
    file = tmp_path / "measure.html"
    quoted = repr(text).replace("</", "<\\/")
    file.write_text(MEASURE.format(width=width, page=quoted), encoding="utf-8")
    title = re.search(r"<title>([\d ]+)</title>", dom(chromium, file))
    assert title is not None
    scroll, client, wide, high = map(int, title[1].split())
    assert scroll <= client, "the page scrolls sideways"
    assert wide > 0.8 * min(width, 1000)
    assert high > 100


def test_the_page_can_be_printed(chromium: list[str], tmp_path: Path) -> None:
    _, text = whole(innings=9)
    file, paper = tmp_path / "page.html", tmp_path / "page.pdf"
    file.write_text(text, encoding="utf-8")
    command = [*chromium, f"--print-to-pdf={paper}", "--no-pdf-header-footer", file.as_uri()]
    subprocess.run(command, capture_output=True, timeout=60, check=True)
    printed = paper.read_bytes()
    assert printed.startswith(b"%PDF")
    pages = re.findall(rb"/Type\s*/Page\b", printed)
    assert 2 <= len(pages) <= 6
