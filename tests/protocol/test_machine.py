"""A hostile peer and bad luck in any order, chosen by Hypothesis: what must hold after every step."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from p2pball.ballgame import Ballgame
from p2pball.engine.terms import Seat
from p2pball.protocol.books import Cheat
from p2pball.protocol.messages import Malformed, Message, parse_frame
from p2pball.protocol.resume import Fork
from p2pball.verify import Verdict, verify
from tests.attacks import forging
from tests.attacks.scene import Scene, nothing_given_away
from tests.campaign.fuzz import Stage, changed, damaged
from tests.duet import CARDS, DICE, Duet, at_random, first, message


class HostilePeer(RuleBasedStateMachine):
    """An honest seat's game; the other plays on honestly, forges, damages, repeats, cuts, lies and crashes us."""

    @initialize(terms=st.sampled_from([DICE, CARDS]), villain=st.sampled_from(list(Seat)), seed=st.integers(0, 9))
    def begin(self, terms: Any, villain: Seat, seed: int) -> None:
        self.duet = Duet(terms, seed=str(seed))
        self.villain, self.victim = villain, villain.other
        while self.duet.games[self.victim].game.exchange.round < 1:
            assert self.duet.step(dict.fromkeys(Seat, first), random.Random(seed))
        self.said: dict[int, bytes] = {}
        self.blamed: set[str] = set()
        self.stored = list(self.duet.disk[self.victim])

    @property
    def game(self) -> Ballgame:
        return self.duet.games[self.victim]

    def offer(self, frame: bytes) -> None:
        """Whatever it is, it is taken, refused, or proves the villain's cheat."""
        before = (len(self.game.game.exchange.lines), self.game.game.exchange.chain)
        try:
            parsed = parse_frame(frame)
            if isinstance(parsed, Message):
                self.game.receive(parsed)
        except Malformed:
            assert before == (len(self.game.game.exchange.lines), self.game.game.exchange.chain)
        except Cheat as cheat:
            self.blamed.add(cheat.seat)
        assert self.blamed <= {self.villain.value}
        self.duet.flush(self.victim)

    @precondition(lambda self: not self.game.stopped)
    @rule(steps=st.integers(1, 12), seed=st.integers(0, 2**32))
    def play(self, steps: int, seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(steps):
            try:
                self.duet.step(dict.fromkeys(Seat, at_random(rng)), rng)
            except (Malformed, Cheat):  # the honest half of the villain has not said what the villain forged
                self.duet.lose_wire()
                return

    @rule(seed=st.integers(0, 2**32))
    def forge(self, seed: int) -> None:
        rng = random.Random(seed)
        lines = self.duet.disk[self.victim]
        head = next(iter(self.duet.wire[self.victim]), rng.choice(lines))
        made = json.loads(message(head).payload)
        for _ in range(rng.randint(1, 2)):
            name = rng.choice(sorted(made))
            made[name] = rng.choice([made[name], "", 0, "ab" * 32, rng.choice(["resign", "commit", "final"]), {}])
        self.offer(forging.seal(self.duet.secrets[self.villain], forging.dump(made)))

    @rule(seed=st.integers(0, 2**32), kind=st.sampled_from(["commit", "reveal", "move", "resign", "final"]))
    def next_message(self, seed: int, kind: str) -> None:
        """The villain's next message by our own books: right in all but what it says."""
        rng, books = random.Random(seed), self.game.game.exchange
        action = rng.choice(
            [{"pass": True}, {"hold": True}, {"pitch": "slider"}, {"card": rng.choice(["AS", "KD", "7C"])}]
        )
        own = self.duet.secrets[self.villain]
        body: dict[str, Any] = {
            "commit": forging.commit_body(own, books, self.villain, action),
            "reveal": forging.reveal_body(own, books, self.villain, action),
            "move": {"chain": books.chain.hex(), "move": action},
            "resign": {},
            "final": {"chain": rng.choice(["", books.chain.hex()]), "result": books.result(), "hand_secret": ""},
        }[kind]
        self.offer(forging.seal(own, forging.dump(forging.fields(books, self.villain, kind, body))))

    @rule(seed=st.integers(0, 2**32))
    def damage(self, seed: int) -> None:
        rng = random.Random(seed)
        lines = self.duet.disk[self.victim]
        self.offer(damaged(rng, rng.choice(lines), lines))

    @rule(seed=st.integers(0, 2**32))
    def change_and_sign(self, seed: int) -> None:
        lines = [frame for frame in self.duet.disk[self.victim] if message(frame).seat == self.villain.value]
        if self.villain is Seat.GUEST:
            stage = Stage(self.duet, lines, random.Random(seed).choice(lines), self.game)
            self.offer(changed(random.Random(seed), stage))

    @rule(seed=st.integers(0, 2**32))
    def repeat(self, seed: int) -> None:
        frame = random.Random(seed).choice(self.duet.disk[self.victim])
        count = len(self.duet.disk[self.victim])
        self.offer(frame)
        assert self.game.stopped or len(self.duet.disk[self.victim]) == count

    @precondition(lambda self: not self.game.stopped)
    @rule(crash=st.booleans(), lie=st.sampled_from(["", "mine", "yours", "more"]))
    def cut(self, crash: bool, lie: str) -> None:
        self.duet.lose_wire()
        if crash:
            self.duet.reload(self.victim)
        self.game.resume()
        books = self.game.game.exchange
        mine, theirs = books.last(self.victim.value), books.last(self.villain.value)
        assert mine is not None
        assert theirs is not None
        body: dict[str, Any] = {"mine": [theirs.seq, theirs.digest], "yours": [mine.seq, mine.digest]}
        body["chain"] = books.chain.hex()
        if lie == "more":
            body["yours"] = [mine.seq + 2, "ab" * 32]
        elif lie:
            body[lie][1] = "ab" * 32
        made = forging.fields(books, self.villain, "resume", body) | {"seq": -1, "prev": "", "ack": ""}
        try:
            self.game.resumed(message(forging.seal(self.duet.secrets[self.villain], forging.dump(made))))
        except Fork:
            assert lie in ("mine", "yours")
        self.duet.flush(self.victim)
        if lie:  # it says nothing until it is told the truth
            assert not self.game.moves
            made["body"] = body | {"mine": [theirs.seq, theirs.digest], "yours": [mine.seq, mine.digest]}
            self.game.resume()
            self.game.resumed(message(forging.seal(self.duet.secrets[self.villain], forging.dump(made))))
            self.duet.flush(self.victim)

    @invariant()
    def nothing_is_ever_taken_back(self) -> None:
        if not hasattr(self, "stored"):
            return
        now = self.duet.disk[self.victim]
        assert now[: len(self.stored)] == self.stored
        self.stored = list(now)

    @invariant()
    def one_message_a_number(self) -> None:
        if not hasattr(self, "said"):
            return
        for frame in self.duet.disk[self.victim]:
            line = message(frame)
            if line.seat == self.victim.value:
                assert self.said.setdefault(line.seq, frame) == frame

    @invariant()
    def no_secret_is_told(self) -> None:
        if hasattr(self, "duet"):
            head = message(self.duet.disk[self.victim][-1])
            nothing_given_away(Scene(self.duet, self.villain, random.Random(0), head))

    def teardown(self) -> None:
        """The record never names the honest seat, and proves whatever stopped the game."""
        if not hasattr(self, "duet"):
            return
        report = verify(self.duet.record(self.victim))
        assert report.verdict is not Verdict.MALFORMED, report.why
        assert report.seat is not self.victim
        assert (report.verdict is Verdict.CHEAT) is (self.game.stopped is not None)


TestHostilePeer = HostilePeer.TestCase
TestHostilePeer.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)
