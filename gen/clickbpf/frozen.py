"""Classes of values that don't change.

`@frozen` is `@dataclass(frozen=True)`, and `@frozen(slots=True)` the same with slots; `fields`, `replace`, `asdict` and `match` work with
these classes. The reason is the time that importing takes: a command imports a hundred of them, and dataclass() compiles six methods for
each. Here the methods are shared functions that go through the fields; only `__init__` is compiled, when the first instance is made.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T", bound=type)
Methods = dict[str, Callable[..., Any]]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: Any = None, /, *, slots: bool = False) -> Any:
    """Make a class whose instances have the annotated fields, are equal if their fields are, and never change."""
    if cls is None:
        return partial(frozen, slots=slots)
    own = vars(cls).copy()
    if cls.__doc__ is None:
        cls.__doc__ = f"{cls.__name__}({', '.join(own.get('__annotations__', ()))})"
    with _not_frozen(cls.__mro__):
        made = dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    made.__dataclass_params__.frozen = True
    found = fields(made)
    methods = _comparing(found) | _fixing(made, {each.name for each in found})
    methods |= {"__init__": _first_init(made), "__repr__": _shown(found)}
    if slots:
        methods |= _stored([each.name for each in found])
    for name, method in methods.items():
        if own.get(name) is None:
            method.__qualname__ = f"{made.__qualname__}.{name}"
            setattr(made, name, method)
    return made


@contextmanager
def _not_frozen(classes: tuple[type, ...]) -> Iterator[None]:
    """Within this context a dataclass may inherit from frozen classes without being declared frozen itself."""
    found = [made for each in classes if (made := vars(each).get("__dataclass_params__")) and made.frozen]
    for each in found:
        each.frozen = False
    yield
    for each in found:
        each.frozen = True


def _comparing(found: tuple[Field, ...]) -> Methods:
    key = _getter(each.name for each in found if each.compare)
    hash_key = _getter(each.name for each in found if (each.compare if each.hash is None else each.hash))

    def eq(self: Any, other: object) -> Any:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(hash_key(self))

    return {"__eq__": eq, "__hash__": hashed}


def _getter(names: Iterable[str]) -> Callable[[Any], Any]:
    found = tuple(names)
    return attrgetter(*found) if found else lambda self: ()


def _fixing(cls: type, names: set[str]) -> Methods:
    """Methods that refuse to set or delete attributes. Subclasses that aren't frozen may have others than `names`."""

    def setattribute(self: Any, name: str, new: Any) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, new)

    def delattribute(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": setattribute, "__delattr__": delattribute}


def _shown(found: tuple[Field, ...]) -> Callable[[Any], str]:
    names = [each.name for each in found if each.repr]

    def shown(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return shown


def _stored(names: list[str]) -> Methods:
    """The state for copies and pickles, since attributes can't be set."""

    def getstate(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def setstate(self: Any, state: list[Any]) -> None:
        for name, one in zip(names, state):
            object.__setattr__(self, name, one)

    return {"__getstate__": getstate, "__setstate__": setstate}


def _first_init(cls: type) -> Callable[..., None]:
    """An `__init__` that compiles the real one on its first call, and replaces itself by it."""

    def init(self: Any, *values: Any, **named: Any) -> None:
        cls.__init__ = _compiled_init(cls)  # type: ignore[misc]
        cls.__init__(self, *values, **named)

    return init


def _compiled_init(cls: type) -> Callable[..., None]:
    parameters, body, known = ["self"], [], {"_set": object.__setattr__, "_missing": MISSING}
    for each in fields(cls):  # type: ignore[arg-type]
        default, made = f"_default_{each.name}", f"_make_{each.name}"
        known[default], known[made] = each.default, each.default_factory
        source = each.name
        if each.default_factory is not MISSING:
            source = f"{made}() if {each.name} is _missing else {each.name}" if each.init else f"{made}()"
            parameters += [f"{each.name}=_missing"] * each.init
        elif each.init:
            parameters.append(each.name if each.default is MISSING else f"{each.name}={default}")
        elif each.default is MISSING:
            continue
        else:
            source = default
        body.append(f" _set(self, {each.name!r}, {source})\n")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()\n")
    exec(f"def __init__({', '.join(parameters)}):\n{''.join(body) or ' pass'}", known)
    known["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    return known["__init__"]
