"""`@frozen` against what it stands for, @dataclass(frozen=True)."""

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from typing import ClassVar

import pytest

from clickbpf.frozen import frozen


class Plain:
    """Fields of every kind."""

    a: int
    b: str = "b"
    c: list = field(default_factory=list)
    d: int = field(default=4, compare=False, repr=False)
    e: int = field(default=5, init=False)
    f: dict = field(default_factory=dict, init=False, compare=False)
    g: ClassVar[int] = 7

    def __post_init__(self):
        object.__setattr__(self, "d", self.d + 1)


def copied(name: str = "Plain", base: type = Plain, *bases: type) -> type:
    return type(name, bases, {k: v for k, v in vars(base).items() if k not in ("__dict__", "__weakref__")} | {"__qualname__": name})


@frozen(slots=True)
class Slotted:
    a: int
    b: tuple = ()


@frozen
class Base:
    a: int


@frozen
class Derived(Base):
    b: int = 2


@dataclass(frozen=True)
class OfAnother(Derived):
    c: int = 3


class Loose(Base):
    """No value itself."""


def said(call) -> str:
    with pytest.raises(Exception) as error:
        call()
    return f"{error.type.__name__}: {error.value}"


OURS = frozen(copied())
THEIRS = dataclass(frozen=True)(copied())


@pytest.mark.parametrize("arguments, named", [((1,), {}), ((1, "x", [1]), {}), ((1,), {"d": 9, "c": ["y"]}), ((), {"b": "z", "a": 0})])
def test_instances_are_the_same(arguments, named):
    ours, theirs = OURS(*arguments, **named), THEIRS(*arguments, **named)
    assert (repr(ours), asdict(ours)) == (repr(theirs), asdict(theirs))
    for other in (OURS(1), OURS(1, d=3), OURS(2)):
        assert (ours == other) == (theirs == THEIRS(*(getattr(other, name) for name in "abc")))
    assert repr(replace(ours, a=8)) == repr(replace(theirs, a=8))
    assert ours != theirs


CALLS = (lambda c: c(), lambda c: c(1, 2, 3, 4, 5), lambda c: c(1, e=2), lambda c: hash(c(1)), lambda c: c(1, a=1))


@pytest.mark.parametrize("call", CALLS)
def test_refusals_are_the_same(call):
    assert said(lambda: call(OURS)) == said(lambda: call(THEIRS))


@pytest.mark.parametrize("class_", [OURS, Slotted, Derived])
def test_nothing_changes(class_):
    each = class_(1)
    for change in (lambda: setattr(each, "a", 2), lambda: setattr(each, "new", 2), lambda: delattr(each, "a")):
        with pytest.raises(FrozenInstanceError):
            change()
    assert each.a == 1


def test_undecorated_subclasses_have_attributes_of_their_own():
    loose = Loose(1)
    loose.new = 3
    with pytest.raises(FrozenInstanceError):
        loose.a = 2


def test_equal_ones_are_one_in_a_set():
    assert len({Slotted(1), Slotted(1), Slotted(2), Slotted(1, (1,)), Derived(1), Derived(1), Base(1)}) == 5


def test_what_is_compared_need_not_be_hashed():
    @frozen
    class Table:
        name: str
        rows: dict = field(default_factory=dict, hash=False)

    assert hash(Table("x", {1: 2})) == hash(Table("x")) != hash(Table("y"))
    assert Table("x", {1: 2}) != Table("x")


def test_defaults_are_each_instances_own():
    one, other = OURS(1), OURS(1)
    one.c.append(3)
    assert other.c == [] and one.f is not other.f


def test_copies():
    for each in (Slotted(1, (2,)), Derived(3)):
        assert copy.copy(each) == copy.deepcopy(each) == pickle.loads(pickle.dumps(each)) == each


def test_classes_inherit_and_are_matched():
    assert (repr(Derived(1)), repr(OfAnother(1))) == ("Derived(a=1, b=2)", "OfAnother(a=1, b=2, c=3)")
    assert [each.name for each in fields(OfAnother)] == ["a", "b", "c"]
    match Derived(5, 6):
        case Derived(a, b):
            assert (a, b) == (5, 6)


def test_classes_inherit_from_dataclasses_too():
    @dataclass(frozen=True)
    class Before:
        a: int

    @frozen
    class After(Before):
        b: int = 2

    assert (After(1), After(1, 3).b) == (After(1, 2), 3)
    with pytest.raises(FrozenInstanceError):
        Before(1).a = 2


def test_what_the_class_defines_itself_stays():
    @frozen
    class Named:
        name: str

        def __eq__(self, other):
            return self.name.lower() == other.name.lower()

        def __hash__(self):
            return 1

        def __repr__(self):
            return self.name

    assert (Named("A") == Named("a"), hash(Named("x")), repr(Named("y"))) == (True, 1, "y")
