"""`python -m tests.mutants`: take each check of the protocol away in turn; a test must fail for every one.

The source is copied aside, one check is removed in the copy, and the tests named beside it run
there. A mutant that no test notices survives, and a survivor fails the run. `--short` takes one
mutant in six; `--list` prints them by section of fair-play.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.harness import ROOT

VERIFY, MESSAGES, VALUES = "tests/verify", "tests/protocol/test_messages.py", "tests/protocol/test_values.py"
BALLGAME, ATTACKS = "tests/ballgame", "tests/attacks/test_attacks.py"
SECONDS = 300
SHORT = 6


@dataclass(frozen=True)
class Mutant:
    """One check taken away: the section and sentence it implements, where it stands, and who must notice."""

    section: str
    sentence: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = (VERIFY,)

    @property
    def path(self) -> str:
        """The file, from the root of the project."""
        return f"p2pball/{self.file}"


EXCHANGE, TURNS, BOOKS, DEALS = (f"protocol/{name}.py" for name in ("exchange", "turns", "books", "deals"))
SHAPES, FRAMES, ENCODING, RESUME = (f"protocol/{name}.py" for name in ("shapes", "messages", "encoding", "resume"))
GAME, SEAT, PRIVATE, JUDGE = "game.py", "ballgame.py", "private.py", "verify.py"

MUTANTS: tuple[Mutant, ...] = (
    # -- 2 Encoding
    Mutant("2", "a key has 32 bytes or is refused", ENCODING, "if len(key) != KEY_BYTES:", "if False:", (VALUES,)),
    Mutant("2", "keys are sorted", ENCODING, "sort_keys=True", "sort_keys=False", (VALUES, VERIFY)),
    Mutant(
        "2",
        "lengths go before values",
        ENCODING,
        'len(raw).to_bytes(4, "big") + raw\n    return enc',
        "raw\n    return enc",
        (VALUES,),
    ),
    # -- 3 Messages: frames
    Mutant("3", "a frame over 8 KiB is refused", FRAMES, "if len(data) > MAX_FRAME:", "if False:", (MESSAGES,)),
    Mutant("3", "JSON is json() of its own parse", ENCODING, "if not same:", "if False:", (VALUES,)),
    Mutant("3", "nesting over 4 is refused", ENCODING, "if not depth:", "if depth < -9:", (VALUES,)),
    Mutant(
        "3",
        "floats are refused",
        ENCODING,
        "elif kind is not str and kind is not bool and value is not None:",
        "elif False:",
        (VALUES,),
    ),
    Mutant("3", "integers are -1 to 2^53-1", ENCODING, "if not -1 <= value <= MAX_INT:", "if False:", (VALUES,)),
    Mutant(
        "3",
        "a boolean is no integer",
        SHAPES,
        "type(value) is not int or",
        "not isinstance(value, int) or",
        (MESSAGES,),
    ),
    Mutant("3", "no unknown or missing field outside", FRAMES, " or fields.keys() != _FIELDS", "", (MESSAGES,)),
    Mutant("3", "no unknown or missing field inside", SHAPES, " or value.keys() != set(names)", "", (MESSAGES,)),
    Mutant("3", "the type is known", FRAMES, "    one_of(kind, BODIES)\n", "", (MESSAGES,)),
    Mutant("3", "the seat is known", FRAMES, "    one_of(seat, SEATS)\n", "", (MESSAGES,)),
    Mutant("3", "the version is 1", FRAMES, '    _same_version(fields["v"])\n', "", (MESSAGES,)),
    Mutant("3", "the body has its type's shape", FRAMES, "    BODIES[kind](body)\n", "", (MESSAGES,)),
    Mutant(
        "3",
        "game is empty in a hello and only there",
        FRAMES,
        'if (fields["game"] == "") is not (kind in ("hello", "decline")):',
        "if False:",
        (MESSAGES,),
    ),
    Mutant(
        "3",
        "prev is empty for seq 0 and only there",
        FRAMES,
        ' or (fields["prev"] == "") is not (seq <= 0)',
        "",
        (MESSAGES,),
    ),
    Mutant(
        "3",
        "seq -1 is a resume's and only its",
        FRAMES,
        '(seq == -1) is not (kind == "resume") or',
        "False or",
        (MESSAGES,),
    ),
    Mutant(
        "3",
        "a hello and a decline have seq 0",
        FRAMES,
        '(kind in ("hello", "decline") and seq != 0) or',
        "False or",
        (MESSAGES,),
    ),
    Mutant("3", "a resume acks nothing", FRAMES, ' or (kind == "resume" and fields["ack"])', "", (MESSAGES,)),
    Mutant("3", "a signature is its own canonical base64url", FRAMES, "[AQgw]", "[A-Za-z0-9_-]", (MESSAGES,)),
    Mutant("3", "a signature has 64 bytes", FRAMES, "{85}", "*", (MESSAGES,)),
    Mutant(
        "3", "digests are lower-case hex of 32 bytes", SHAPES, 'r"[0-9a-f]{64}"', 'r"[0-9a-fA-F]{62,66}"', (MESSAGES,)
    ),
    Mutant("3", "a chat has at most 500 characters", FRAMES, " and len(text) <= MAX_CHAT", "", (MESSAGES,)),
    # -- 3 hello
    Mutant("3", "names have 1 to 24 characters", SHAPES, " or not 1 <= len(value) <= MAX_NAME", "", (MESSAGES,)),
    Mutant(
        "3",
        "names are printable",
        SHAPES,
        '_UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}',
        "_UNPRINTABLE = set()",
        (MESSAGES,),
    ),
    Mutant("3", "a team code is 2 to 4 letters", SHAPES, 'r"[A-Z]{2,4}"', 'r".*"', (MESSAGES,)),
    Mutant("3", "a team has nine", SHAPES, ' or len(team["players"]) != PLAYERS', "", (MESSAGES,)),
    Mutant(
        "3",
        "a key of small order is refused",
        SHAPES,
        "if bytes.fromhex(value) in SMALL_ORDER:",
        "if False:",
        (MESSAGES,),
    ),
    Mutant("3", "the terms are in range", SHAPES, '    integer(terms["clock"], 0, 600)\n', "", (MESSAGES,)),
    Mutant(
        "3", "a hello is signed by its own key", EXCHANGE, "if not signed and not signed_by(message, key):", "if False:"
    ),
    Mutant(
        "3",
        "the guest's hello acks the host's",
        EXCHANGE,
        'if message.ack != (self.lines[0].digest if self.lines else ""):',
        "if False:",
    ),
    Mutant(
        "3",
        "the guest's hello repeats the terms",
        EXCHANGE,
        'if self.lines and message.body["terms"] != self.lines[0].body["terms"]:',
        "if False:",
    ),
    # -- 3 signature, game, repeats, sequence, acknowledgements
    Mutant(
        "3",
        "every message is signed by its seat's key",
        EXCHANGE,
        "if not signed and not signed_by(message, side.key):",
        "if False:",
    ),
    Mutant(
        "3", "a wrong game is refused", EXCHANGE, "if message.game != self.game.hex():", "if False:", (VERIFY, ATTACKS)
    ),
    Mutant("3", "same seq, other P: equivocation", EXCHANGE, "if first.payload == message.payload:", "if True:"),
    Mutant("3", "same seq, same P: ignored", EXCHANGE, "if first.payload == message.payload:", "if False:"),
    Mutant("3", "a gap in seq is refused", EXCHANGE, "message.seq != len(side.sent) or ", ""),
    Mutant("3", "a wrong prev is refused", EXCHANGE, " or message.prev != side.sent[-1].digest", ""),
    Mutant("3", "an ack is of an earlier line", EXCHANGE, "            if seq < 0:", "            if False:"),
    Mutant("3", "an ack never goes back", EXCHANGE, "if seq < self.sides[message.seat].acked:", "if False:"),
    Mutant(
        "3",
        "a commit or move has acked the last move or reveal",
        TURNS,
        'case "commit" | "move":\n            needs = [other.turn] if other.turn else []',
        'case "commit" | "move":\n            needs = []',
    ),
    Mutant(
        "3",
        "a reveal has acked the commit it answers",
        TURNS,
        'needs = [other.commits.get(message.body["round"])]',
        "needs = []",
    ),
    Mutant(
        "3",
        "a final has acked the last move or reveal",
        TURNS,
        'case "final":\n            needs = [other.turn] if other.turn else []',
        'case "final":\n            needs = []',
    ),
    Mutant("3", "a final has acked the other's resignation", TURNS, "elif other.resign:", "elif False:"),
    Mutant(
        "3",
        "the resigner's final has acked the other's final or resignation",
        TURNS,
        "if mine.resign:\n                    #",
        "if False:\n                    #",
    ),
    # -- 3 turns
    Mutant("3", "nothing follows one's own final", TURNS, "if mine.final:", "if False:"),
    Mutant(
        "3",
        "no final before the end",
        TURNS,
        "if expect.due is not Due.OVER and not mine.resign and not other.resign:",
        "if False:",
    ),
    Mutant(
        "3",
        "the seat that resigned sends only its final",
        TURNS,
        "    if mine.resign:\n        raise",
        "    if False:\n        raise",
    ),
    Mutant(
        "3",
        "after an acked resignation only a final",
        TURNS,
        "if other.resign and acked >= other.resign.seq:",
        "if False:",
    ),
    Mutant(
        "3",
        "what has not acked a resignation still counts",
        TURNS,
        "if other.resign and acked >= other.resign.seq:",
        "if other.resign:",
    ),
    Mutant("3", "no resignation in round 0", TURNS, "if books.round == 0:", "if False:"),
    Mutant(
        "3", "a move when one is due, and in its seat's turn", TURNS, "if expect.mover != message.seat:", "if False:"
    ),
    Mutant("3", "a commit or reveal when a sealed round is due", TURNS, "if expect.due is not _SEALED or", "if"),
    Mutant("3", "of this round", TURNS, ' or message.body["round"] != books.round:', ":"),
    Mutant("3", "one commit a seat and round", TURNS, 'if kind == "commit" and mine.commit:', "if False:"),
    Mutant("3", "one reveal a seat and round", TURNS, "(mine.commit is None or mine.reveal)", "mine.commit is None"),
    Mutant("3", "no reveal without a commit", TURNS, "(mine.commit is None or mine.reveal)", "mine.reveal"),
    # -- 3 commits, reveals, moves, finals
    Mutant(
        "3",
        "a commit and a move build on this chain",
        EXCHANGE,
        'if message.body["chain"] != self.chain.hex():',
        "if False:",
    ),
    Mutant(
        "3",
        "a reveal opens its C",
        EXCHANGE,
        'if not hmac.compare_digest(opened.hex(), commit.body["commitment"]):',
        "if False:",
    ),
    Mutant(
        "3",
        "no nonce twice",
        EXCHANGE,
        'if earlier := side.nonces.get(body["nonce"]):',
        'if False and (earlier := side.nonces.get("")):',
    ),
    Mutant("3", "a locked action is legal", EXCHANGE, "if not self.expect.legal(seat, action):", "if False:"),
    Mutant("3", "an open move is legal", EXCHANGE, "if not self.expect.legal(message.seat, action):", "if False:"),
    Mutant(
        "3",
        "opening before nonce, nonce before action",
        EXCHANGE,
        "self._audit(side, message, due=self.expect.pitch and side.hand is not None and side.hand.last_card)",
        "self._audit(side, message, due=False)",
    ),
    Mutant(
        "3",
        "a final has the game's chain, or none",
        EXCHANGE,
        'if message.body["chain"] != (self.chain.hex() if over else ""):',
        "if False:",
    ),
    Mutant("3", "a final has the game's result", EXCHANGE, 'if message.body["result"] != self.result():', "if False:"),
    Mutant(
        "3", "a final opens the last hand", EXCHANGE, "self._audit(side, message, due=side.hand is not None)", "pass"
    ),
    Mutant(
        "3",
        "both resigned: a draw",
        BOOKS,
        'OTHER[resigned[0]] if len(resigned) == 1 else "draw"',
        "OTHER[resigned[0]]",
    ),
    Mutant(
        "3",
        "a seat reveals only when both commits are there",
        SEAT,
        "if mine.commit and other.commit and not mine.reveal:",
        "if mine.commit and not mine.reveal:",
        (BALLGAME,),
    ),
    Mutant("3", "the batter's pass waits for its player", SEAT, " and not rolls:", ":", (BALLGAME,)),
    Mutant(
        "3",
        "after resigning nothing but a final",
        SEAT,
        "if mine.resign or books.expect",
        "if books.expect",
        (BALLGAME,),
    ),
    Mutant(
        "3",
        "a cheat enters the journal as the last line",
        SEAT,
        "            self._lines.append(message)\n            self.stopped",
        "            self.stopped",
        (BALLGAME,),
    ),
    Mutant(
        "3",
        "nobody speaks in this seat's name",
        SEAT,
        "if own and not (self._recovering and message.seq == len(self._mine.sent)) and not self._known(message):",
        "if False:",
        (BALLGAME,),
    ),
    # -- 5 Hidden hands
    Mutant(
        "5",
        "K travels in the dealing round's commit and in no other",
        EXCHANGE,
        'if bool(message.body["deal"]) is not self.deal_due(message.seat):',
        "if False:",
    ),
    Mutant(
        "5",
        "the dealing round is a pitch with one card left",
        BOOKS,
        "self.expect.pitch and hand is not None and hand.last_card",
        "False",
    ),
    Mutant(
        "5",
        "no audit, no valid reveal",
        EXCHANGE,
        "        if not secret:\n            raise Cheat",
        "        if not secret:\n            return\n            raise Cheat",
    ),
    Mutant(
        "5",
        "a hand secret anywhere else is a bad deal",
        EXCHANGE,
        "            if secret:\n",
        "            if False:\n",
    ),
    Mutant("5", "the secret opens K", DEALS, "if not hmac.compare_digest(committed, self.commitment):", "if False:"),
    Mutant("5", "exactly those six cards were played", DEALS, " and set(played) <= set(self.cards(secret))", ""),
    Mutant(
        "5",
        "the last card counts too",
        EXCHANGE,
        '(message.body["action"]["card"],) if message.type == "reveal" else ()',
        "()",
    ),
    Mutant(
        "5", "when fewer than 6 remain, all 52", DEALS, "rest if len(rest) >= HAND else DECK", "rest", (VALUES, VERIFY)
    ),
    Mutant(
        "5",
        "the hand audited counts as dealt",
        DEALS,
        "card for card in self.remaining if card not in self.played",
        "card for card in self.remaining",
        (VALUES, VERIFY),
    ),
    Mutant(
        "5",
        "the other seat's nonce deals",
        BOOKS,
        "commits[seat], reveals[OTHER[seat]], step",
        "commits[seat], reveals[seat], step",
    ),
    Mutant(
        "5",
        "a secret for each hand",
        PRIVATE,
        "if hand and hand.number != self._number:",
        "if hand and self._number < 0:",
        (BALLGAME,),
    ),
    # -- 6 Never lose a game
    Mutant(
        "6",
        "nothing is signed before the other's resume",
        SEAT,
        "        self._awake = False\n        return self._private",
        "        return self._private",
        (BALLGAME,),
    ),
    Mutant("6", "a loaded game signs nothing by itself", SEAT, "        ballgame._awake = False\n", "", (BALLGAME,)),
    Mutant(
        "6",
        "nothing is signed until one's own messages are back",
        SEAT,
        "        if not self._recovering:\n            self.wake()\n        return plan.send",
        "        self.wake()\n        return plan.send",
        (BALLGAME,),
    ),
    Mutant(
        "6",
        "the game goes on once they are back",
        SEAT,
        "elif self._recover_to >= 0 and not self._recovering:",
        "elif False:",
        (BALLGAME,),
    ),
    Mutant(
        "6",
        "the choice behind the own commit is found again",
        PRIVATE,
        "if self._lock(choice) == locked), None",
        "if False), None",
        (BALLGAME,),
    ),
    Mutant("6", "what is missing is sent again", RESUME, "if line.seq > known[line.seat]", "if False", (BALLGAME,)),
    Mutant("6", "what is not missing is not", RESUME, "if line.seq > known[line.seat]", "if True", (BALLGAME, ATTACKS)),
    Mutant(
        "6",
        "the other's `yours` is not my history: a fork",
        RESUME,
        '    _same(books, seat, my_seq, my_hash, "yours")\n',
        "",
        (BALLGAME,),
    ),
    Mutant(
        "6",
        "the other's `mine` is not what I hold: a fork",
        RESUME,
        '    _same(books, other, their_seq, their_hash, "theirs")\n',
        "",
        (BALLGAME,),
    ),
    Mutant(
        "6",
        "the same messages and another chain: stop",
        RESUME,
        ' and theirs["chain"] != ours["chain"]',
        " and False",
        (BALLGAME,),
    ),
    Mutant(
        "6",
        "a resume is signed",
        RESUME,
        "if key is None or not signed_by(resume, key):",
        "if False:",
        (BALLGAME,),
    ),
    Mutant(
        "6",
        "a resume is of this game",
        RESUME,
        "if resume.game != books.game.hex():",
        "if False:",
        (BALLGAME,),
    ),
    Mutant(
        "6",
        "a resume is the other seat's",
        RESUME,
        'if resume.type != "resume" or resume.seat != other:',
        "if False:",
        (BALLGAME,),
    ),
    Mutant("6", "the journal is this identity's", SEAT, "        ballgame._private.check_key()\n", "", (BALLGAME,)),
    # -- 7 What can be proven
    Mutant(
        "7",
        "hellos stand in the first two lines",
        EXCHANGE,
        'SEATS[len(self.lines)] if not self.begun else ""',
        "SEATS[min(len(self.lines), 1)]",
    ),
    Mutant("7", "a torn last line is ignored", JUDGE, "and torn(line)", "and False"),
    Mutant("7", "a whole last line counts without its newline", JUDGE, "and torn(line)", ""),
    Mutant("7", "a record begins with both hellos", JUDGE, "    if not game.begun:\n", "    if False:\n"),
    Mutant(
        "7",
        "COMPLETE needs the winner's final",
        BOOKS,
        "all(self.sides[seat].final for seat in (SEATS if",
        "any(True for seat in (SEATS if",
    ),
    Mutant(
        "7",
        "and both after a draw",
        BOOKS,
        'SEATS if winner == "draw" else (winner,)',
        '(SEATS[0],) if winner == "draw" else (winner,)',
    ),
)


def survives(mutant: Mutant) -> bool:
    """Whether the tests pass without the check; the tree is copied aside for it."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as name:
        copy = Path(name)
        for part in ("p2pball", "signaling", "tests"):
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__", "*.npz"))
        for part in ("pyproject.toml", "docs"):
            source = ROOT / part
            (shutil.copytree if source.is_dir() else shutil.copy)(source, copy / part)
        path = copy / mutant.path
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *mutant.tests]
        env = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            ran = subprocess.run(command, cwd=copy, env=env, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return False  # a game that hangs without the check: noticed
        if ran.returncode not in (0, 1):
            raise RuntimeError(f"the tests did not run: {ran.stdout.decode()[-2000:]} {ran.stderr.decode()[-2000:]}")
        return ran.returncode == 0


def main() -> int:
    """Run the mutants; 1 when one survived."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--list", action="store_true", help="print the mutants by section and run none")
    parser.add_argument("--short", action="store_true", help=f"run one in {SHORT}")
    parser.add_argument("--only", default="", metavar="WORD", help="run those whose sentence contains WORD")
    options = parser.parse_args()
    chosen = [mutant for mutant in MUTANTS if options.only in mutant.sentence][:: SHORT if options.short else 1]
    if options.list:
        for mutant in chosen:
            print(f"{mutant.section}  {mutant.sentence}  ({mutant.path})")
        return 0
    survivors = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for mutant, alive in zip(chosen, pool.map(survives, chosen), strict=True):
            survivors += alive
            print(f"{'SURVIVED' if alive else 'caught':<9} {mutant.section}  {mutant.sentence}", flush=True)
    print(f"{len(chosen) - survivors} of {len(chosen)} mutants caught")
    return int(survivors > 0 or not chosen)


if __name__ == "__main__":
    sys.exit(main())
