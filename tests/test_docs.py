"""The documentation says what is so: commands, options, keys, links, examples, licences.

A block of Markdown marked `sh` is run, line by line, in a shell that stops at the first failure; one marked `python` is
the `bot.py` of its page. Blocks without a mark, or marked `text`, are there to be read.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from pkgutil import resolve_name

import click
import pytest
from packaging.utils import canonicalize_name
from textual.binding import Binding

from p2pball.cli import COMMANDS, cli
from p2pball.engine.ledger import begin
from p2pball.engine.moves import HOLD, PINCH, STEALS
from p2pball.engine.state import Phase
from p2pball.engine.terms import Rules, Seat, Terms
from p2pball.engine.view import View
from p2pball.ui import commands
from p2pball.ui.tui import keymap
from p2pball.ui.tui.app import FullScreen
from p2pball.ui.tui.keymap import Key
from signaling.__main__ import main as relay
from tests.harness import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
TEXT = {page: page.read_text(encoding="utf-8") for page in PAGES}
README, PLAYING = TEXT[ROOT / "README.md"], TEXT[ROOT / "docs" / "playing.md"]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(page, n, text) for page in PAGES for n, (mark, text) in enumerate(BLOCK.findall(TEXT[page])) if mark == "sh"]
PATIENCE = 300


def prose(text: str) -> str:
    """A page without its blocks."""
    return BLOCK.sub("", text)


def anchor(heading: str) -> str:
    """The anchor of a heading, as the forges make it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def sections(text: str) -> dict[str, str]:
    """Each section of a page by its anchor, up to the next heading of any level."""
    parts = re.split(r"^#+ (.+)$", prose(text), flags=re.MULTILINE)
    return {anchor(heading): body for heading, body in zip(parts[1::2], parts[2::2], strict=True)}


def tables(text: str) -> Iterator[list[str]]:
    """The rows of all tables, as cells."""
    for row in re.findall(r"^\| (.*) \|$", text, re.MULTILINE):
        yield [cell.strip() for cell in re.split(r"(?<!\\)\|", row)]


# -- commands and options ------------------------------------------------------------------


def told_of(command: str) -> str:
    """The section of a command, and the sections of the page that it refers to."""
    found = sections(PLAYING)
    own = found[anchor(f"p2pball {command}")]
    return own + "".join(found[name] for name in re.findall(r"\]\(#([\w-]+)\)", own))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_there(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    text = told_of(name)
    for option in command.params:
        if isinstance(option, click.Option):
            words = [*option.opts, *option.secondary_opts]
            assert [word for word in words if not re.search(rf"`{re.escape(word)}[ `]", text)] == []
            if isinstance(option.type, click.Choice):
                assert [value for value in option.type.choices if not re.search(rf"[` ]{value}`", text)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_no_option_is_there_that_a_command_has_not(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    known = {word for option in command.params for word in (*option.opts, *option.secondary_opts)} | {"--help"}
    own = sections(PLAYING)[anchor(f"p2pball {name}")]
    assert set(re.findall(r"`(--[a-z-]+)", own)) <= known


def test_the_options_of_the_program_and_every_command_are_there() -> None:
    for option in cli.params:
        assert re.search(rf"{option.opts[0]}\b", prose(PLAYING))
    for name in (*(f"p2pball {command}" for command in COMMANDS), "p2pball-relay"):
        assert anchor(name) in sections(PLAYING)
        assert re.search(rf"^\| `{name}[ `]", README, re.MULTILINE), f"{name} in the README"


def test_every_option_of_the_relay_is_there() -> None:
    text = sections(TEXT[ROOT / "docs" / "relay.md"])["options"]
    assert [option.opts[0] for option in relay.params if f"`{option.opts[0]}`" not in text] == []


def test_every_sentence_about_redis_that_an_operator_meets_is_there() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "signaling").glob("*.py"))
    sentences = re.findall(r'StoreError\(\s*f?"([A-Z][\w ,]+)', source)
    assert len(sentences) >= 4
    text = sections(TEXT[ROOT / "docs" / "relay.md"])["when-something-is-wrong"]
    assert [sentence for sentence in sentences if f"`{sentence}`" not in text] == []


# -- keys and words ------------------------------------------------------------------------


def registered() -> list[Key]:
    """Every key of the registry but those of choices."""
    found = [value for value in vars(keymap).values() if isinstance(value, Key)]
    groups = [value for value in vars(keymap).values() if isinstance(value, tuple) and value]
    return found + [key for group in groups for key in group if isinstance(key, Key)]


def documented() -> dict[tuple[str, str], str]:
    """By key and word, the cells that name the key and the others that do the same."""
    found: dict[tuple[str, str], str] = {}
    for cells in tables(PLAYING):
        for keys, words in pairwise(cells):
            if caps := re.findall(r"`([^`]+)`", keys):
                for word in words.split(", "):
                    found[caps[0], word] = found.get((caps[0], word), "") + keys
    return found


def test_every_key_is_there() -> None:
    there = documented()
    for key in registered():
        assert (key.cap, key.word) in there
        others = [Key(other, "", "", key.does).cap for other in key.also]
        assert [cap for cap in others if f"`{cap}`" not in there[key.cap, key.word]] == []


@pytest.mark.parametrize(
    ("rules", "phase"),
    [(Rules.DICE, Phase.CHOOSE), (Rules.DICE, Phase.ROLL), (Rules.CARDS, Phase.WINDOW), (Rules.CARDS, Phase.KING)],
)
def test_every_key_that_chooses_is_there(rules: Rules, phase: Phase) -> None:
    view = View(begin(Terms(rules)).but(phase=phase), Seat.HOST, hand=tuple(range(6)))
    there = documented()
    for key in keymap.move_keys(view, (HOLD, PINCH, *STEALS.values()), hints=True):
        assert ("1" if key.cap.isdigit() else key.cap, key.word) in there


def test_the_keys_that_interrupt_are_there() -> None:
    for binding in FullScreen.BINDINGS:
        assert isinstance(binding, Binding)
        for key in binding.key.split(","):
            assert key.title() in PLAYING


def test_every_word_of_the_plain_look_is_there() -> None:
    text = sections(PLAYING)["words-of-the-plain-look"]
    assert [word for word in commands.WORDS if f"`{word}`" not in text] == []


# -- links and pages -----------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", prose(TEXT[page]))
    lost = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, fragment = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        if not path.exists() or (fragment and fragment not in sections(path.read_text(encoding="utf-8"))):
            lost.append(target)
    assert lost == []


def test_the_index_has_one_line_for_every_page() -> None:
    lines = [cells[0] for cells in tables(TEXT[ROOT / "docs" / "README.md"])]
    names = [page.name for page in PAGES if page.parent.name == "docs" and page.name != "README.md"]
    assert sorted(re.findall(r"\[(\w[\w-]*\.md)\]", "\n".join(lines))) == names


def test_the_readme_is_short_and_shows_the_screen() -> None:
    assert len(README.splitlines()) < 150
    assert re.search(r"!\[[^\]]+\]\(docs/img/\w+\.svg\)", README)


def test_every_function_on_the_path_of_a_pitch_is_there() -> None:
    path = sections(TEXT[ROOT / "docs" / "architecture.md"])["the-path-of-one-pitch"]
    names = re.findall(r"`((?:\w+\.)+\w+)`", path)
    assert len(names) > 20
    for name in names:
        assert resolve_name(f"p2pball.{name}"), name


# -- examples ------------------------------------------------------------------------------


class Shell:
    """A home with one finished game, and a shell that knows p2pball."""

    def __init__(self, folder: Path) -> None:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        bare = {key: value for key, value in os.environ.items() if not key.startswith("P2PBALL_")}
        self._env = {**bare, "PATH": path, "P2PBALL_HOME": str(folder / "home"), "P2PBALL_LOOPBACK": "1"}
        self.run("p2pball play --auto rookie --rules cards --innings 1 --json", folder)
        (self.record,) = folder.glob("home/games/*/record.p2pball")

    def run(self, script: str, folder: Path) -> None:
        """Run a script to its end in a folder; it has to end well."""
        done = subprocess.run(
            ["sh", "-e", "-x", "-c", script],
            cwd=folder,
            env=self._env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    return Shell(tmp_path_factory.mktemp("docs"))


def test_examples_are_run_from_both_front_doors() -> None:
    assert {page.name for page, _, _ in BLOCKS} >= {"README.md", "playing.md"}
    assert len([line for _, _, text in BLOCKS for line in text.splitlines()]) >= 25


@pytest.mark.parametrize(("page", "n", "text"), BLOCKS, ids=[f"{page.name}-{n}" for page, n, _ in BLOCKS])
def test_every_example_runs(shell: Shell, tmp_path: Path, page: Path, n: int, text: str) -> None:
    for mark, code in BLOCK.findall(TEXT[page]):
        if mark == "python":
            (tmp_path / "bot.py").write_text(code)
    script = re.sub(r"\bGAME\b", shell.record.parent.name, text)
    shell.run(re.sub(r"\bFILE\b", str(shell.record), script), tmp_path)


# -- licences ------------------------------------------------------------------------------


def test_the_licences_are_of_the_packages_in_the_constraints() -> None:
    named = [cells[:2] for cells in tables(TEXT[ROOT / "docs" / "licences.md"])]
    there = {re.sub(r"^\[(.+)\]\(.*\)$", r"\1", name): version for name, version in named}
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    wanted = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}
    assert {name: there[name] for name in there.keys() - {"package", "---"}} == wanted
