"""Frozen values: what `@dataclass(frozen=True, slots=True)` makes, at a tenth of the cost of making it.

A game defines some sixty of them before its first line, and `dataclass` compiles six methods for each: a third of all
that a start took. Values share theirs but for `__init__`, which is compiled when it is first called. To `fields`,
`replace`, `asdict` and `match` they are what every dataclass is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """A class of frozen, slotted values; a field may have a default, but no default_factory."""
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    told = fields(made)
    names = [one.name for one in told]
    whole = _getter(names)
    compared = _getter([one.name for one in told if one.compare])
    hashed = _getter([one.name for one in told if (one.compare if one.hash is None else one.hash)])

    def init(self: T, *items: Any, **named: Any) -> None:
        made.__init__ = _written_init(made)
        made.__init__(self, *items, **named)

    def equal(self: T, other: object) -> bool:
        return compared(self) == compared(other) if type(other) is type(self) else NotImplemented

    def number(self: T) -> int:
        return hash(hashed(self))

    def text(self: T) -> str:
        return f"{type(self).__qualname__}({', '.join(map('{}={!r}'.format, names, whole(self)))})"

    def parts(self: T) -> tuple[type[T], tuple[Any, ...]]:
        return type(self), whole(self)

    made.__init__, made.__eq__, made.__hash__, made.__repr__, made.__reduce__ = init, equal, number, text, parts
    made.__setattr__ = made.__delattr__ = _refuse
    result: type[T] = made
    return result


def _getter(names: Sequence[str]) -> Callable[[object], tuple[Any, ...]]:
    """What gets the attributes of these names as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple([getattr(self, name) for name in names])


def _written_init(made: Any) -> Callable[..., None]:
    """`__init__` as code, for a general one would be too slow: what it calls is each slot's own way to be filled."""
    known: dict[str, Any] = {}
    takes, does = ["self"], []
    for one in fields(made):
        known[f"put_{one.name}"] = getattr(made, one.name).__set__
        known[f"default_{one.name}"] = one.default
        takes.append(one.name if one.default is MISSING else f"{one.name}=default_{one.name}")
        does.append(f"put_{one.name}(self, {one.name})")
    does.append("self.__post_init__()" if hasattr(made, "__post_init__") else "return")
    exec(f"def __init__({', '.join(takes)}): {'; '.join(does)}", known)  # noqa: S102 -- as dataclasses does
    init: Callable[..., None] = known["__init__"]
    return init


def _refuse(self: object, name: str, *item: object) -> NoReturn:
    raise FrozenInstanceError(f"{name!r} of a {type(self).__name__} was told once and for all")
