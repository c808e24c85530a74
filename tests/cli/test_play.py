"""`p2pball play` as a person, a script and a bot meet it: real processes, pipes and pseudo-terminals."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from p2pball.verify import Verdict, verify
from tests.cli.running import Here
from tests.terminal import COMMAND, Terminal, environment

BOT = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["t"] == "state":
        print(json.dumps(told["legal"][{pick}]), flush=True)
"""


def run(home: Path, *arguments: str, text: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        env=environment(home, **env),
        check=False,
    )


def records(home: Path) -> list[Path]:
    return sorted(home.glob("games/*/record.p2pball"))


def bot(tmp_path: Path, pick: int = 0, body: str = BOT) -> str:
    path = tmp_path / "bot.py"
    path.write_text(body.format(pick=pick) if body is BOT else body)
    return f"{sys.executable} {path}"


@pytest.mark.parametrize("rules", ["dice", "cards"])
def test_the_same_seed_and_choices_give_the_same_record(rules: str, tmp_path: Path) -> None:
    lines = []
    for home in (tmp_path / "one", tmp_path / "two"):
        done = run(
            home, "play", "--rules", rules, "--innings", "1", "--seed", "7", "--auto", "rookie", "--json", "--name", "A"
        )
        assert done.returncode == 0, done.stderr
        (record,) = records(home)
        lines.append(record.read_bytes())
        assert verify(lines[-1]).verdict is Verdict.COMPLETE
    assert lines[0] == lines[1]


def test_json_lines_tell_all_and_end_with_over(tmp_path: Path) -> None:
    command = bot(tmp_path, pick=-1)
    done = run(tmp_path, "play", "--rules", "cards", "--innings", "1", "--json", "--engine", command, "--name", "A")
    assert done.returncode == 0, done.stderr
    told: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    assert told[-1]["t"] == "over"
    assert verify(Path(told[-1]["file"]).read_bytes()).to_json()["result"] == told[-1]["result"]
    plays = [line for line in told if line["t"] == "play"]
    assert plays
    assert all(line["eventType"] and line["text"] and line["retrosheet"] for line in plays)


def test_json_choices_come_by_standard_input(tmp_path: Path) -> None:
    env = environment(tmp_path)
    process = subprocess.Popen(
        [*COMMAND, "play", "--json", "--rules", "cards", "--innings", "1", "--name", "A"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env,
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    errors = states = 0
    for line in process.stdout:
        told = json.loads(line)
        match told["t"]:
            case "state":
                states += 1
                assert set(told) >= {"position", "score", "hand", "legal"}
                answer = "nonsense" if not errors else json.dumps(told["legal"][0])
                process.stdin.write(answer + "\n")
                process.stdin.flush()
            case "error":
                errors += 1
                process.stdin.write(json.dumps(told["legal"][0]) + "\n")
                process.stdin.flush()
            case "over":
                break
    process.stdin.close()
    assert process.wait(60) == 0
    assert errors == 1
    assert states > 5


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("raise SystemExit", "ended before its game did"),
        ("import time\nprint('x' * 200_000, flush=True)\ntime.sleep(60)", "a line of more than"),
        ("while True: print('{}', flush=True)", "no legal choice"),
        ("import sys\nfor line in sys.stdin: print('[' * 5000, flush=True)", "no legal choice"),
    ],
)
def test_an_engine_that_fails_loses_only_its_own_game(body: str, why: str, tmp_path: Path) -> None:
    command = bot(tmp_path, body=body)
    done = run(tmp_path, "play", "--rules", "cards", "--engine", command, "--plain", "--name", "A")
    assert done.returncode == 0, done.stderr
    assert why in done.stdout
    assert "resigned" in done.stdout
    (record,) = records(tmp_path)
    report = verify(record.read_bytes())
    assert report.verdict is Verdict.COMPLETE
    assert report.to_json()["result"]["winner"] == "guest"


def test_an_engine_that_is_not_there(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "--engine", "/nonexistent/engine", "--plain", "--name", "A")
    assert done.returncode == 1
    assert "cannot be started" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_pipe_that_ends_leaves_the_game_saved(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "--rules", "cards", "--plain", "--name", "A", text="1\n2\n")
    assert "The game is saved: p2pball resume" in done.stdout
    assert "Traceback" not in done.stderr
    (record,) = records(tmp_path)
    assert verify(record.read_bytes()).verdict is Verdict.SUSPENDED


def test_a_pipe_holds_all_choices_from_the_start(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "--rules", "cards", "--innings", "1", "--plain", "--name", "A", text="1\n\n" * 400)
    assert done.returncode == 0
    assert "The game is saved" not in done.stdout
    (record,) = records(tmp_path)
    assert verify(record.read_bytes()).verdict is Verdict.COMPLETE


def test_a_saved_game_goes_on(tmp_path: Path) -> None:
    run(tmp_path, "play", "--rules", "cards", "--innings", "1", "--plain", "--name", "A", text="1\n2\n")
    (record,) = records(tmp_path)
    before = record.read_bytes()
    broken = shutil.copytree(record.parent, record.parent.with_name("20261130-zzzz")) / record.name
    broken.unlink()
    broken.mkdir()
    done = run(tmp_path, "resume", "--auto", "rookie", "--plain")
    assert done.returncode == 0, done.stderr
    assert f"Left out: Could not read the record in {broken}" in done.stderr
    shutil.rmtree(broken.parent)
    assert record.read_bytes().startswith(before)
    assert verify(record.read_bytes()).verdict is Verdict.COMPLETE
    nothing = run(tmp_path, "resume", "--plain")
    assert nothing.returncode == 1
    assert "no open game" in nothing.stderr


def test_a_game_that_cannot_be_read_is_not_passed_over_in_silence(tmp_path: Path) -> None:
    run(tmp_path, "play", "--rules", "dice", "--innings", "1", "--plain", "--name", "A")
    (game,) = tmp_path.glob("games/2*")
    (game / "game.json").unlink()
    done = run(tmp_path, "resume")
    assert done.returncode == 1
    assert f"Left out: Could not read the game in {game}" in done.stderr
    assert "There is no open game here" in done.stderr


def test_a_finished_game_does_not_go_on(tmp_path: Path) -> None:
    played = run(tmp_path, "play", "--innings", "1", "--auto", "rookie", "--json", "--name", "A")
    assert played.returncode == 0, played.stderr
    (record,) = records(tmp_path)
    again = run(tmp_path, "resume", record.parent.name, "--json")
    assert again.returncode == 1
    assert again.stderr == f"p2pball: That game is finished: `p2pball show {record.parent.name}` tells how it went.\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_save_the_game(number: signal.Signals, tmp_path: Path) -> None:
    with Terminal(["play", "--plain", "--rules", "cards", "--name", "A"], environment(tmp_path)) as player:
        player.expect("? help >", seconds=60)
        player.process.send_signal(number)
        assert player.wait() == 130
        assert "The game is saved: p2pball resume" in player.said
        assert "Traceback" not in player.said
    (record,) = records(tmp_path)
    assert verify(record.read_bytes()).verdict is Verdict.SUSPENDED


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_comes_until_the_end_changes_nothing_of_it(number: signal.Signals, tmp_path: Path) -> None:
    play = [*COMMAND, "play", "--plain", "--auto", "rookie", "--rules", "cards", "--pace", "0.2", "--name", "A"]
    with subprocess.Popen(play, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as player:
        until = time.monotonic() + 60
        while not any(path.stat().st_size > 4000 for path in records(tmp_path)):
            assert time.monotonic() < until
            time.sleep(0.05)
        while player.poll() is None:
            player.send_signal(number)
            time.sleep(0.001)
        assert player.stdout
        assert player.stderr
        said, complained = player.stdout.read().decode(), player.stderr.read().decode()
    assert player.returncode == 130
    assert said.count("The game is saved") == 1
    assert complained.strip() == "Interrupted."


def test_ctrl_c_at_the_first_questions(tmp_path: Path) -> None:
    for answers in ((), ("cards\n",), ("cards\n", "rookie\n")):
        with Terminal(["play", "--plain"], environment(tmp_path)) as player:
            for question, answer in zip(("Which game", "How strong"), answers, strict=False):
                player.expect(question, seconds=60)
                player.type(answer)
            player.expect(("Which game", "How strong", "Your name")[len(answers)], seconds=60)
            time.sleep(0.3)  # let it come to rest in its question, as a person does
            player.interrupt()
            assert player.wait() == 130
            assert "Traceback" not in player.said


def test_a_closed_terminal_saves_the_game(tmp_path: Path) -> None:
    player = Terminal(["play", "--plain", "--rules", "cards", "--name", "A"], environment(tmp_path))
    player.expect("? help >", seconds=60)
    player.hang_up()
    player.process.wait(60)
    (record,) = records(tmp_path)
    assert verify(record.read_bytes()).verdict is Verdict.SUSPENDED


def test_two_people_at_one_keyboard(tmp_path: Path) -> None:
    with Terminal(
        ["play", "--hotseat", "--plain", "--rules", "cards", "--innings", "1", "--name", "Ann"], environment(tmp_path)
    ) as table:
        table.expect("Name of the second player, Enter for Player 2 >", seconds=60)
        table.type("Bob\n")
        for _ in range(2000):
            match table.expect("only you can see the screen >", "? help >", "Record: ", seconds=60):
                case "? help >":
                    prompt = table.said[: table.at].rsplit("\n", 1)[-1]
                    table.type("\n" if "Enter to hold" in prompt else "1\n")
                case "only you can see the screen >":
                    table.type("\n")
                case _:
                    break
        assert table.wait() == 0
    (record,) = records(tmp_path)
    assert verify(record.read_bytes()).verdict is Verdict.COMPLETE
    assert "Ann" in table.said
    assert "Bob" in table.said
    held = re.compile(
        r"(Ann|Bob), press Enter when only you can see the screen >(.*?)(?=(?:Ann|Bob), press Enter|Record: )", re.S
    )
    for _, shown in held.findall(table.said.replace("\r\n", "\n")):
        assert "Your cards:" in shown
        assert "\n" * 40 in shown.rpartition("Your cards:")[2], "a hand stays on the screen"


def test_words_at_the_prompt(tmp_path: Path) -> None:
    arguments = ["play", "--plain", "--rules", "cards", "--level", "rookie", "--name", "A"]
    with Terminal([*arguments, "--seed", "1"], environment(tmp_path)) as player:  # nobody walks on a joker
        for typed, said in (
            ("?\n", "A card number alone means"),
            ("b\n", "Totals"),
            ("l\n", "Nothing has happened yet."),
            ("what\n", "none of your choices now"),
            ("\n", "? help >"),
            ("q\n", "Quit: r resign, s leave and save"),
            ("\n", "? help >"),
            ("q\n", "Enter to stay >"),
            ("s\n", "The game is saved"),
        ):
            if typed == "?\n":
                player.expect("? help >", seconds=60)
            player.type(typed)
            player.expect(said)
        assert player.wait() == 0


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["play", "--rules", "chess"], 2, "chess"),
        (["play", "--innings", "12"], 2, "12"),
        (["play", "--clock", "9999"], 2, "9999"),
        (["play", "--hotseat", "--json"], 2, "--hotseat"),
        (["play", "--auto", "rookie", "--engine", "x", "--name", "A"], 2, "Only one"),
        (["play", "--name", "x" * 40, "--plain"], 2, "24"),
        (["play", "--team", "/nonexistent.toml", "--name", "A", "--plain"], 1, "cannot be read"),
        (["join", "4821-crisp-wolf"], 2, "@ADDRESS"),
        (["join", "4821-crsp-wolf@127.0.0.1:9"], 1, "Did you mean"),
        (["join", "4821-crisp-wolf@127.0.0.1:9", "--name", "A", "--plain"], 1, "does not answer"),
        (["host", "--relay", "127.0.0.1:9", "--name", "A", "--plain"], 1, "does not answer"),
        (["host", "--relay", "no such relay", "--name", "A", "--plain"], 1, "relay address"),
        (["resume", "nothing"], 1, "nothing"),
        (["bogus"], 2, "bogus"),
    ],
)
def test_bad_input_gets_a_sentence_and_a_code(arguments: list[str], code: int, says: str, tmp_path: Path) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == code, done.stderr
    assert says in re.sub(r"\s+", " ", done.stderr)
    assert "Traceback" not in done.stderr
    assert not records(tmp_path)


@pytest.mark.parametrize("command", [("host",), ("join", "4821-crisp-wolf")])
@pytest.mark.parametrize("player", [("--auto", "rookie"), ("--engine", "true")])
def test_lines_are_pasted_by_somebody(here: Here, command: tuple[str, ...], player: tuple[str, str]) -> None:
    ran = here(*command, "--name", "Ann", "--by-hand", *player)
    assert (ran.code, ran.out) == (2, "")
    assert "somebody who pastes lines" in ran.err
