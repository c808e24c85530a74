"""`verify`: verdicts, exit codes, the lines that prove a cheat, and an explanation that can be followed by hand."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pball.clubhouse.journal import MAX_RECORD
from p2pball.ui.archive import find
from tests.cli.running import DICE, RECORDS, Here, keep, run
from tests.duet import Duet

EXIT = {"COMPLETE": 0, "SUSPENDED": 3, "CHEAT": 4, "MALFORMED": 5}
NAMES = sorted(path.name.removesuffix(".p2pball") for path in RECORDS.glob("*.p2pball"))


def expected(name: str) -> dict[str, object]:
    data: dict[str, object] = json.loads((RECORDS / f"{name}.expected.json").read_text())
    return data


@pytest.mark.parametrize("name", NAMES)
def test_the_json_is_exactly_the_expected_object(here: Here, name: str) -> None:
    ran = here("verify", RECORDS / f"{name}.p2pball", "--json")
    assert len(ran.lines) == 1
    assert json.loads(ran.out) == expected(name)
    assert ran.code == EXIT[str(expected(name)["verdict"])]
    assert ran.err == ""


@pytest.mark.parametrize("name", NAMES)
def test_the_words_say_the_same(here: Here, name: str) -> None:
    ran, verdict = here("verify", RECORDS / f"{name}.p2pball"), expected(name)
    assert ran.lines[0].startswith(str(verdict["verdict"]) + "  ")
    assert ran.code == EXIT[str(verdict["verdict"])]
    for field in ("position", "chain", "rounds"):
        if field in verdict:
            assert f"{field:<10}{verdict[field]}" in ran.lines
    keys = [line["payload"] for line in map(json.loads, (RECORDS / f"{name}.p2pball").read_bytes().splitlines()[:2])]
    for seat, payload in zip(("host", "guest"), keys, strict=True):
        key = bytes.fromhex(json.loads(payload)["body"]["key"])
        shown = next(line for line in ran.lines if line.startswith(f"{seat:<10}{seat.title()}, key "))
        assert hashlib.sha256(key).hexdigest().startswith(shown.split("key ")[1].replace(" ", ""))


def test_a_process_exits_with_the_verdict() -> None:
    for name, code in (("dice-draw", 0), ("torn", 3), ("cheat-deal", 4)):
        ran = run("verify", RECORDS / f"{name}.p2pball")
        assert (ran.code, ran.err) == (code, "")
    malformed = run("verify", RECORDS / "dice-draw.expected.json")
    assert malformed.code == 5
    assert malformed.out.startswith("MALFORMED  ")


def test_a_winner_and_a_resignation_are_named(here: Here) -> None:
    assert "The guest (Guest) won 4-1." in here("verify", RECORDS / "cards-three-innings.p2pball").out
    assert "A draw, 0-0." in here("verify", RECORDS / "dice-draw.p2pball").out
    resigned = here("verify", RECORDS / "resigned.p2pball")
    assert "The host (Host) won at 0-0: the guest (Guest) resigned." in resigned.out


def test_who_owes_is_named(here: Here) -> None:
    assert "due from the host (Host) and the guest (Guest)" in here("verify", RECORDS / "torn.p2pball").out


def test_a_cheat_is_named_with_kind_and_lines(here: Here) -> None:
    ran = here("verify", RECORDS / "cheat-deal.p2pball")
    assert "The guest (Guest) cheated: bad deal." in ran.out
    lines = next(line for line in ran.lines if line.startswith("proof     lines "))
    numbers = [int(number) for number in re.findall(r"\d+", lines)]
    assert 2 <= len(numbers) <= 4
    assert numbers[-1] == len((RECORDS / "cheat-deal.p2pball").read_bytes().splitlines())


def test_what_is_no_record_is_malformed(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "some.p2pball"
    good = (RECORDS / "dice-draw.p2pball").read_bytes()
    for content in (
        b"",
        b"\n",
        b"hello\n",
        bytes(range(256)),
        good[100:],
        good.replace(b"\n", b"\r\n"),
        good[:-3] + b"}\n",
    ):
        file.write_bytes(content)
        ran = here("verify", file)
        assert ran.code == 5, content[:50]
        assert ran.lines[1].startswith("why       ")
        assert json.loads(here("verify", file, "--json").out) == {"verdict": "MALFORMED"}


def test_a_giant_is_judged_by_its_beginning_alone(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "giant"
    with file.open("wb") as opened:
        opened.truncate(MAX_RECORD * 4)
    assert here("verify", file).code == 5
    with file.open("wb") as opened:
        opened.write((RECORDS / "dice-draw.p2pball").read_bytes())
        opened.truncate(MAX_RECORD * 4)
    ran = here("verify", file)
    assert ran.code == 1
    assert "cannot be judged" in ran.err


def test_nothing_of_a_record_reaches_the_terminal_as_a_control(here: Here, tmp_path: Path) -> None:
    first = json.loads((RECORDS / "dice-draw.p2pball").read_bytes().splitlines()[0])
    file = tmp_path / "evil.p2pball"
    for evil in ("\x1b]0;owned\x07", "\u202eevil", "\x9b31m", "a\nb"):
        payload = first["payload"].replace('\\"name\\":\\"Host\\"', json.dumps(f'"name":"{evil}"')[1:-1])
        payload = payload.replace('"name":"Host"', f'"name":{json.dumps(evil)}')
        file.write_text(
            json.dumps({"payload": payload, "sig": first["sig"]}, sort_keys=True, separators=(",", ":")) + "\n"
        )
        ran = here("verify", file)
        assert ran.code == 5
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", ran.out + ran.err)


def test_a_game_on_this_machine_goes_by_its_id(here: Here) -> None:
    id_ = keep(Duet(DICE, "id").play_at_random(3))
    ran = here("verify", id_[-4:])
    assert ran.code == 0
    assert ran.out == here("verify", find(id_).path).out
    assert here("verify", "zzzz").code == 2


def test_wrong_use_is_told(here: Here, tmp_path: Path) -> None:
    for args in (
        (),
        (tmp_path / "missing.p2pball",),
        (tmp_path,),
        (RECORDS / "torn.p2pball", "--json", "--explain"),
        (RECORDS / "torn.p2pball", "--what"),
    ):
        ran = here("verify", *args)
        assert ran.code == 2
        assert ran.out == ""
        assert "Traceback" not in ran.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_that_nobody_writes_to_is_refused(here: Here, tmp_path: Path, home: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    ran = here("verify", tmp_path / "pipe")
    assert (ran.code, ran.out) == (2, "")
    assert "is a folder, a pipe or a device. Name a file" in " ".join(ran.err.split())
    ran = here("show", tmp_path / "pipe")
    assert (ran.code, ran.out) == (1, "")
    assert "is no record file. Name a file" in ran.err
    id_ = keep(Duet(DICE, "pipe").play_at_random(3))
    record = home / "games" / id_ / "record.p2pball"
    record.unlink()
    os.mkfifo(record)
    for command in ("verify", "show", "resume"):
        ran = run(command, id_, home=home)  # a process of its own, which may be given up
        assert (ran.code, ran.out) == (1, "")
        assert "It is a pipe or a device. Copy what it holds" in ran.err
    ran = run("games", home=home)
    assert "pipe" in ran.err


# -- the explanation, followed by hand with nothing of ours -----------------------------------


def enc(label: str, *fields: bytes | str | int) -> bytes:
    parts = [b"p2pball/1/" + label.encode()]
    for field in fields:
        parts.append(
            field if isinstance(field, bytes) else field.encode() if isinstance(field, str) else field.to_bytes(8)
        )
    return b"".join(len(part).to_bytes(4) + part for part in parts)


def mac(key: str, label: str, *fields: bytes | str | int) -> str:
    return hmac.new(bytes.fromhex(key), enc(label, *fields), "sha256").hexdigest()


def explained(here: Here, name: str) -> list[str]:
    ran = here("verify", RECORDS / f"{name}.p2pball", "--explain")
    assert ran.err == ""
    return ran.lines


def rounds(lines: list[str]) -> Iterator[tuple[int, str, list[str]]]:
    """Every explained round: its number, its seed, and the lines of its streams."""
    for at, line in enumerate(lines):
        if match := re.fullmatch(r"round (\d+) is complete", line):
            end = next(i for i in range(at, len(lines)) if lines[i].startswith("    position"))
            yield int(match[1]), lines[at + 1].split()[1], lines[at + 2 : end]


@pytest.mark.parametrize("name", ["dice-nine-innings", "cards-three-innings"])
def test_every_number_follows_from_its_seed(here: Here, name: str) -> None:
    lines = explained(here, name)
    count = 0
    for _, seed, told in rounds(lines):
        purpose = key = block = ""
        for line in told:
            if match := re.fullmatch(r"    ([a-z-]+)", line):
                purpose, block = match[1], ""
            elif match := re.fullmatch(r"      key     ([0-9a-f]{64})", line):
                key = match[1]
                assert key == mac(seed, "stream-key", purpose)
            elif match := re.fullmatch(r"      block (\d+) ([0-9a-f]{64})", line):
                assert match[2] == mac(key, "stream", int(match[1]))
                block += match[2]
            else:
                if match := re.search(r"byte (\d+) is (\d+) \(hex (..)\), mod (\d+) is (\d+)", line):
                    at, value, n, number = int(match[1]), int(match[2]), int(match[4]), int(match[5])
                    assert bytes.fromhex(block)[at - 1] == value == int(match[3], 16)
                    assert value < 256 // n * n
                    assert number == value % n
                    count += 1
                for skipped in re.finditer(r"byte (\d+) is (\d+), not under (\d+): skipped", line):
                    assert int(skipped[2]) >= int(skipped[3])
    assert count > 50


def test_every_seed_follows_from_what_both_locked(here: Here) -> None:
    lines = explained(here, "dice-draw")
    game = next(line.split()[1].rstrip(",") for line in lines if line.startswith("    game "))
    seen = 0
    for number, seed, told in rounds(lines):
        values = [bytes.fromhex(value) for value in re.findall(r"\b[0-9a-f]{64}\b", "\n".join(told[:3]))]
        chain, commits, nonces = values[0], values[1:3], values[3:5]
        fields = (bytes.fromhex(game), number, chain, *commits, *nonces)
        assert hashlib.sha256(enc("round-seed", *fields)).hexdigest() == seed
        seen += 1
    assert seen == expected("dice-draw")["rounds"]


def test_every_hand_follows_from_its_secret(here: Here) -> None:
    lines = explained(here, "cards-three-innings")
    game = bytes.fromhex(next(line.split()[1].rstrip(",") for line in lines if line.startswith("    game ")))
    hands = 0
    for at, line in enumerate(lines):
        if not (match := re.fullmatch(r"    hand (\d+)    secret s ([0-9a-f]{64})", line)):
            continue
        number, secret = int(match[1]), match[2]
        bound, dealt, seed, key, deck, _, dealt_cards = lines[at + 1 : at + 8]
        seat = re.search(r"(host|guest), \d+\)", bound)[1]  # type: ignore[index]
        assert mac(secret, "deal-commit", game, seat, number) == bound.split()[2]
        nonce = bytes.fromhex(dealt.split()[-1])
        assert mac(secret, "deal", game, seat, number, nonce) == seed.split()[2]
        assert mac(seed.split()[2], "stream-key", "shuffle") == key.split()[1]
        cards = deck.split()[1:]
        stream = iter(b"".join(bytes.fromhex(mac(key.split()[1], "stream", i)) for i in range(20)))
        for i in range(len(cards) - 1, 0, -1):
            j = next(byte for byte in stream if byte < 256 // (i + 1) * (i + 1)) % (i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        assert dealt_cards.split()[2:] == cards[:6]
        hands += 1
    assert hands >= 10


def test_the_explanation_ends_with_the_verdict_and_stops_at_a_cheat(here: Here) -> None:
    lines = explained(here, "cheat-opening")
    assert next(line for line in lines if line.startswith("CHEAT"))
    last = max(int(match[1]) for line in lines if (match := re.match(r"line (\d+),", line)))
    assert last == len((RECORDS / "cheat-opening.p2pball").read_bytes().splitlines()) - 1
    assert explained(here, "torn")[-2].startswith("A record proves")
    said = here("verify", RECORDS / "cards-three-innings.p2pball").lines
    assert max(map(len, said)) <= 80, "a terminal breaks it in the middle of a word"


def test_the_chain_is_told_after_every_step(here: Here) -> None:
    lines = explained(here, "resigned")
    chains = [line.split()[1] for line in lines if line.startswith("    chain ")]
    assert chains[-1] == expected("resigned")["chain"]
    assert len(set(chains)) == len(chains)
