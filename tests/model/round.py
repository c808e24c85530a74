"""One sealed round as two journals and a wire: every state that can be reached, and what must hold in each.

A seat is its journal on disk, what it holds in memory, and what it is about to do (`todo`: store a
line, send a message). A crash takes memory and `todo`; a cut takes what is on the wire. Messages
on the wire may be lost, come twice and come in any order. With a hostile partner, anything it
could sign may be on the wire at any time.

An entry of a journal is (what, value): the own commit `c` and reveal `r`, the other's `oc` and
`or`. A choice is 0 or 1; a reveal's value is the pair of its choice and the commit it answers, as a
real reveal opens its own commitment and acknowledges the other's. Signatures, chains and the rules
of baseball are not modelled: what stands in their way is tested on the real code.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

CHOICES = (0, 1)
Entry = tuple[str, Any]
Wire = frozenset[Entry]
SEQ = {"c": 0, "r": 1, "c2": 1}


class Mutant(Enum):
    """Mistakes that an implementation could make; NONE is what fair-play 6 says."""

    NONE = "as written"
    SEND_BEFORE_FSYNC = "sends its own message before it is on disk"
    GATE_ON_MEMORY = "reveals when the other's commit is in memory, not yet on disk"
    SECOND_COMMIT = "accepts another commit for a round that has one"
    REVEAL_WITHOUT_COMMIT = "reveals as soon as its own commit is sent"
    FORGETS_ITS_CHOICE = "chooses again after a restart although a commit is on disk"
    SIGNS_BEFORE_ASKING = "chooses after data loss before it has asked the other seat"
    NEVER_SENDS_AGAIN = "sends nothing again after a cut"


class Seat(NamedTuple):
    """One seat. `up` is whether the process runs, `lost` whether its disk lost its end since it last asked."""

    disk: tuple[Entry, ...] = ()
    memory: tuple[Entry, ...] = ()
    todo: tuple[tuple[str, Entry], ...] = ()
    up: bool = True
    lost: bool = False
    stopped: bool = False
    sent: Wire = frozenset()
    """Everything ever put on a wire (for judging, not known to the seat)."""

    def get(self, what: str) -> Any:
        """The value of an entry in memory, or None."""
        return next((value for name, value in self.memory if name == what), None)

    def stored(self, what: str) -> Any:
        """The value of an entry on disk, or None."""
        return next((value for name, value in self.disk if name == what), None)

    @property
    def complete(self) -> bool:
        """Whether the round is over for this seat, on disk."""
        return not self.todo and self.stored("r") is not None and self.stored("or") is not None


class World(NamedTuple):
    """Two seats, the link between them and what is on its way to each; seat 1 is the hostile one if any."""

    seats: tuple[Seat, Seat] = (Seat(), Seat())
    link: bool = True
    wires: tuple[Wire, Wire] = (frozenset(), frozenset())
    """What is on its way to seat 0 and to seat 1."""


def _set(pair: tuple[Any, Any], at: int, value: Any) -> tuple[Any, Any]:
    return (value, pair[1]) if at == 0 else (pair[0], value)


@dataclass
class Model:
    """The rules of a world: which mistake is made, whether seat 1 is hostile, whether disks lose their end."""

    mutant: Mutant = Mutant.NONE
    hostile: bool = False
    data_loss: bool = False
    honest: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.honest = (0,) if self.hostile else (0, 1)

    # -- what can happen next

    def steps(self, world: World) -> Iterator[tuple[str, World]]:
        """Every step from a world, named."""
        for at in self.honest:
            yield from self._of_seat(world, at)
        if world.link:
            for at in self.honest:
                for message in world.wires[at]:
                    kept = self._receive(world, at, message)
                    if kept is not world:
                        yield f"{at} receives {message}, which will come again", kept
                        yield f"{at} receives {message}", self._off_wire(kept, at, message)
                    yield f"{message} to {at} is lost", self._off_wire(world, at, message)
            yield "the wire is cut", world._replace(link=False, wires=(frozenset(), frozenset()))
            if self.hostile:
                yield from self._forgeries(world)
        elif all(world.seats[at].up and not world.seats[at].todo for at in self.honest):
            yield "both meet again", self._meet(world)

    def _of_seat(self, world: World, at: int) -> Iterator[tuple[str, World]]:
        seat = world.seats[at]
        if not seat.up:
            memory = seat.disk
            if self.mutant is Mutant.FORGETS_ITS_CHOICE and seat.stored("r") is None:
                memory = tuple(entry for entry in memory if entry[0] != "c")
            yield f"{at} starts again", self._with(world, at, seat._replace(up=True, memory=memory))
            return
        if seat.todo:
            yield f"{at} does {seat.todo[0]}", self._do(world, at)
        elif not seat.stopped and self._may_choose(world, seat):
            for choice in CHOICES:
                yield f"{at} chooses {choice}", self._choose(world, at, choice)
        if self.data_loss and at == 1:
            return  # one machine that breaks is enough, and keeps the search small
        yield f"{at} crashes", self._crash(world, at, seat.disk)
        if self.data_loss and not seat.lost:
            for keep in range(len(seat.disk)):
                yield f"{at} loses all but {keep}", self._crash(world, at, seat.disk[:keep], lost=True)

    def _may_choose(self, world: World, seat: Seat) -> bool:
        asked = world.link or self.mutant is Mutant.SIGNS_BEFORE_ASKING
        return asked and seat.get("c") is None

    def _choose(self, world: World, at: int, choice: int) -> World:
        entry = ("c", choice)
        seat = world.seats[at]
        kept = tuple(known for known in seat.memory if known[0] != "c")
        disk = tuple(known for known in seat.disk if known[0] != "c")
        write = ("store", entry), ("send", entry)
        todo = write[::-1] if self.mutant is Mutant.SEND_BEFORE_FSYNC else write
        if self.mutant is Mutant.REVEAL_WITHOUT_COMMIT:
            todo = (*todo, ("send", ("r", (choice, None))))
        chosen = seat._replace(disk=disk, memory=(*kept, entry), todo=todo)
        return self._with(world, at, self._open(chosen))

    def _do(self, world: World, at: int) -> World:
        seat = world.seats[at]
        (doing, entry), *rest = seat.todo
        if doing == "store":
            return self._with(world, at, seat._replace(disk=(*seat.disk, entry), todo=tuple(rest)))
        if not world.link:
            return self._with(world, at, seat._replace(todo=tuple(rest)))
        after = self._with(world, at, seat._replace(todo=tuple(rest), sent=self._told(seat, {entry})))
        return after._replace(wires=_set(after.wires, 1 - at, after.wires[1 - at] | {entry}))

    def _crash(self, world: World, at: int, disk: tuple[Entry, ...], *, lost: bool = False) -> World:
        seat = world.seats[at]
        down = seat._replace(disk=disk, memory=(), todo=(), up=False, lost=seat.lost or lost, stopped=False)
        return self._with(world, at, down)._replace(link=False, wires=(frozenset(), frozenset()))

    def _receive(self, world: World, at: int, message: Entry) -> World:
        """What fair-play 3 makes of a message; a refused one changes nothing."""
        seat = world.seats[at]
        if not seat.up or seat.todo or seat.stopped:
            return world
        what, value = message
        theirs = seat.get("oc")
        if what in ("c", "c2"):
            if what == "c2" and theirs is None:
                return world  # a gap in seq: refused
            if theirs is not None and (what == "c2" or theirs != value):
                if self.mutant is not Mutant.SECOND_COMMIT:
                    return self._with(world, at, seat._replace(stopped=True))  # proof of a cheat
                kept = tuple(known for known in seat.memory if known[0] != "oc")
                disk = tuple(known for known in seat.disk if known[0] != "oc")
                other = seat._replace(memory=(*kept, ("oc", value)), disk=disk, todo=(("store", ("oc", value)),))
                return self._with(world, at, other)
            if theirs is not None:
                return world  # a repeat
            entry = ("oc", value)
            return self._with(world, at, self._open(seat._replace(memory=(*seat.memory, entry)), ("store", entry)))
        choice, answered = value
        if theirs is None or seat.get("c") is None or answered != seat.get("c") or seat.get("or") is not None:
            return world  # a gap in seq, an ack of nothing, or a repeat: refused or ignored
        if choice != theirs:
            return self._with(world, at, seat._replace(stopped=True))  # a bad opening
        entry = ("or", value)
        return self._with(world, at, seat._replace(memory=(*seat.memory, entry), todo=(*seat.todo, ("store", entry))))

    def _open(self, seat: Seat, *first: tuple[str, Entry]) -> Seat:
        """Reveal by itself once both commits are there (fair-play 3); `first` is what is stored before."""
        todo = (*seat.todo, *first)
        if seat.get("c") is None or seat.get("oc") is None or seat.get("r") is not None:
            return seat._replace(todo=todo)
        entry = ("r", (seat.get("c"), seat.get("oc")))
        write: tuple[tuple[str, Entry], ...] = (("store", entry), ("send", entry))
        if self.mutant is Mutant.SEND_BEFORE_FSYNC:
            write = write[::-1]
        todo = (*write, *todo) if self.mutant is Mutant.GATE_ON_MEMORY else (*todo, *write)
        return seat._replace(memory=(*seat.memory, entry), todo=todo)

    def _meet(self, world: World) -> World:
        """Both tell how far they got and send what is missing; what one lost comes back first (fair-play 6)."""
        met = world._replace(link=True)
        if self.mutant is Mutant.NEVER_SENDS_AGAIN:
            return met
        for at in self.honest:
            seat, other = met.seats[at], met.seats[1 - at]
            back = tuple(
                (mine, other.stored(theirs))
                for mine, theirs in (("c", "oc"), ("r", "or"))
                if not self.hostile and seat.get(mine) is None and other.stored(theirs) is not None
            )
            todo = tuple(("store", entry) for entry in back)
            seat = seat._replace(memory=(*seat.memory, *back), todo=todo, lost=False)
            seat = self._open(seat)
            again = {entry for entry in seat.disk if entry[0] in ("c", "r")}
            met = self._with(met, at, seat._replace(sent=self._told(seat, again)))
            met = met._replace(wires=_set(met.wires, 1 - at, met.wires[1 - at] | again))
        return met

    def _forgeries(self, world: World) -> Iterator[tuple[str, World]]:
        """Whatever the hostile seat could sign."""
        for choice in CHOICES:
            for message in (("c", choice), ("c2", choice), *(("r", (choice, answered)) for answered in CHOICES)):
                if message not in world.wires[0]:
                    yield f"1 forges {message}", world._replace(wires=(world.wires[0] | {message}, world.wires[1]))

    def _told(self, seat: Seat, messages: set[Entry]) -> Wire:
        """What a seat has ever sent; after data loss it is the two disks that are compared, not this."""
        return frozenset() if self.data_loss else seat.sent | messages

    @staticmethod
    def _with(world: World, at: int, seat: Seat) -> World:
        return world._replace(seats=_set(world.seats, at, seat))

    @staticmethod
    def _off_wire(world: World, at: int, message: Entry) -> World:
        return world._replace(wires=_set(world.wires, at, world.wires[at] - {message}))

    # -- what must hold

    def wrong(self, world: World) -> str | None:
        """What is wrong with a world, if anything: the safety of fair-play 3 and 6."""
        for at in self.honest:
            seat = world.seats[at]
            if not self.data_loss:
                signed = [(SEQ[what], what, value) for what, value in seat.sent]
                if len({seq for seq, *_ in signed}) < len(signed):
                    return f"{at} signed two messages under one number"
                for what, value in seat.sent:
                    if what == "r" and (seat.stored("c") != value[0] or seat.stored("oc") != value[1]):
                        return f"{at} revealed without both commits on disk, or the other's changed afterwards"
            if not self.hostile:
                theirs, mine = world.seats[1 - at].stored("oc"), seat.stored("c")
                if theirs is not None and mine is not None and theirs != mine and not seat.todo:
                    return f"{at} is committed to one choice on its disk and to another on the other's"
                if seat.stopped:
                    return f"{at} takes its honest partner for a cheat"
        if not self.hostile and all(seat.complete for seat in world.seats):
            one, two = world.seats
            if one.stored("r") != two.stored("or") or two.stored("r") != one.stored("or"):
                return "both finished the round, with different choices"
        return None

    def done(self, world: World) -> bool:
        """Whether the round is over: for both, or stopped by proof of a cheat."""
        return all(world.seats[at].complete or (self.hostile and world.seats[at].stopped) for at in self.honest)


@dataclass(frozen=True)
class Search:
    """What a search found: how many worlds, the way to the first wrong one, and one that cannot finish."""

    worlds: int
    wrong: str | None = None
    way: tuple[str, ...] = ()
    stuck: World | None = None


def search(model: Model, limit: int = 400_000) -> Search:
    """Breadth first through every world; raises OverflowError when there are more than `limit`."""
    start = World()
    came: dict[World, tuple[World, str] | None] = {start: None}
    into: dict[World, list[World]] = {}
    queue = deque([start])
    while queue:
        world = queue.popleft()
        if wrong := model.wrong(world):
            return Search(len(came), wrong, _way(came, world))
        for name, after in model.steps(world):
            into.setdefault(after, []).append(world)
            if after not in came:
                came[after] = (world, name)
                queue.append(after)
        if len(came) > limit:
            raise OverflowError(f"more than {limit} worlds")
    finishing = {world for world in came if model.done(world)}
    queue = deque(finishing)
    while queue:
        for before in into.get(queue.popleft(), ()):
            if before not in finishing:
                finishing.add(before)
                queue.append(before)
    stuck = next((world for world in came if world not in finishing), None)
    return Search(len(came), stuck=stuck, way=_way(came, stuck) if stuck else ())


def _way(came: dict[World, tuple[World, str] | None], world: World) -> tuple[str, ...]:
    names: list[str] = []
    while step := came[world]:
        world, name = step
        names.append(name)
    return tuple(reversed(names))
