"""Element, the base of all element classes, whose attributes and methods are the vocabulary for declaring them.

A class is one Python file with its declaration and, if packets pass the class, one C file beside it with its processing of a packet
(the packet interface is described in `element.h`). Nothing else names the class.

    class DecIPTTL(Element, ports="1/1-2", processing="a/ah", traits=BEARS_OFFLOADS | KEEPS_HEADER):
        '''decrements the IP time-to-live
        ...manual page...
        '''
        args = (Keyword("ACTIVE", Bool(), True, "false to let all packets pass unchanged", setting=True),)
        state_types = {"counters": PerThread(expired=u64)}
        drops = sum_handler("counters", "expired", text="how many packets' time was up")

The manual page is made from the class's docstring and these declarations (manual.py).
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from enum import IntEnum, IntFlag
from types import FunctionType, SimpleNamespace
from typing import Any, ClassVar, Self, TypeVar

from clickbpf.args.context import NOWHERE, Context
from clickbpf.args.declare import Argument, Rest, check_texts
from clickbpf.args.error import ArgError
from clickbpf.args.types.reference import ElementRef
from clickbpf.objects.ctext import c_string
from clickbpf.vocabulary.alignment import AlignmentRule
from clickbpf.vocabulary.annotations import CARRIED
from clickbpf.vocabulary.forms import ANY, Form
from clickbpf.vocabulary.handlers import Handler, field_handlers, handlers_of, settings_of
from clickbpf.vocabulary.held import Held
from clickbpf.vocabulary.looks import Look
from clickbpf.vocabulary.sources import Entries
from clickbpf.vocabulary.state import State, of_settings
from clickbpf.vocabulary.traits import DOES_NOTHING, KEEPS_HEADER, LOOKS, NONE, ONLY_COPIES, ONLY_DECIDES, Trait

T = TypeVar("T", bound="Element")
#: Results of methods that many classes override. Constants are more fields of the compile-time `cfg`: name -> (C type, C initialiser).
#: Copies lists, for each n of COPIES(n), the outputs by which a packet and its copies leave, in order.
Constants = Mapping[str, tuple[str, str]]
Copies = Sequence[Sequence[int]]

#: Executors that can run an instance: `xdp` and `tc` are hooks of the kernel, `user` is the runtime.
KERNEL = frozenset({"xdp", "tc", "user"})
USER = frozenset({"user"})
#: Classes that never meet a packet (AddressInfo, Script): Python only.
CONTROL: frozenset[str] = frozenset()

#: Click's names for the common processing codes.
AGNOSTIC, PUSH, PULL, PUSH_TO_PULL, PULL_TO_PUSH = "a/a", "h/h", "l/l", "h/l", "l/h"
#: Click's names for the common flow codes.
COMPLETE_FLOW = "x/x"


#: Attributes that are written in the head of a class: `class Tee(Element, ports="1/-")`.
HEAD = ("ports", "processing", "flow", "runs", "traits")


#: Attributes that classes had in earlier versions, and what to write instead.
_GONE = {
    "c_source": "write a C file of the class's name, which may #include another class's",
    "fix": "configure() is called last before its arguments are fixed",
    "listed_handlers": "derive the class from OwnHandlers and define own_handlers(), without the class's own handlers",
    "reads": "name the elements in works_on(), with traits=READS_OTHERS",
    "running": "make what a running element has besides its state in begin()",
    "summary": "the first line of the docstring is the class's summary",
}
#: The roles (roles.py), by the names that only their classes may define.
_ROLES: dict[str, type["Element"]] = {}


class _Fixed(SimpleNamespace):
    """The arguments of a configured element, which can't be changed."""

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"arguments of a configured element can't be changed: {name}")


class Element:
    """The base of element classes. An instance is a configured or a running element of a router.

    An instance can be changed until it is configured; then it is immutable. The running element is a copy of it (`running()`) with state,
    a runtime, and attributes that can change: from `begin()` on, hooks and handlers are called on the running element.
    """

    #: Click's port count, "inputs/outputs": a number, a range "1-2", "-" for any, "=" for as many as inputs.
    ports: ClassVar[str] = "1/1"
    #: Click's processing code, one letter a port: h push, l pull, a agnostic.
    processing: ClassVar[str] = AGNOSTIC
    #: Click's flow code.
    flow: ClassVar[str] = COMPLETE_FLOW
    #: Executors that can run the class; configure() may leave some out.
    runs: frozenset[str] = KERNEL
    #: Its promises and peculiarities (traits.py); configure() may change them.
    traits: Trait = NONE
    #: The forms of packets that its inputs need, the last one for all further inputs; it can't use other packets, or drops them.
    takes: tuple[Form, ...] = ()
    #: Whether packets leave it in the form in which they came. Classes of some traits needn't say so, nor those with another `gives`.
    same_form = False
    #: Entry points besides ELEMENT, found in the C file (sources.py): "pull", "task", "timer", "event", "init", "cleanup" and "control"
    #: for the runtime, "gives_up" for the kernel path.
    entries: Any = Entries()
    #: Entry points among "timer", "init" and "control" that only wake its TASK: the C file doesn't define them.
    wakes: ClassVar[tuple[str, ...]] = ()
    #: Declarations of the configuration's arguments, in order.
    args: ClassVar[tuple[Argument, ...]] = ()
    #: The operations of its CONTROL, if it has several. C compares `op` with SELF(NAME).
    operations: ClassVar[tuple[str, ...]] = ()
    #: More fields of the compile-time `cfg`: name -> (C type, function of the element that returns a number, a truth value or a text).
    derived: ClassVar[Mapping[str, tuple[str, Callable[[Any], Any]]]] = {}
    #: Enumerations of other numbers that Python and C share: bits, sizes. In C a member is SELF(NAME).
    enums: ClassVar[tuple[type[IntEnum | IntFlag], ...]] = ()
    #: Its kinds of state, by name; configure() may leave some of them out.
    state_types: Mapping[str, State] = {}
    #: What it holds besides its arguments, and the fate of that when the router is replaced or the runtime dies (held.py). () is for a
    #: class that holds nothing, although it seems to (tests/states/test_declared.py); None for one that nobody has looked at.
    holds: ClassVar[tuple[Held, ...] | None] = None
    #: Other names of the class.
    aliases: ClassVar[tuple[str, ...]] = ()
    #: Generated headers, which several instances, classes and units share: the names under which units include them -> functions that
    #: return the texts. They are included before instances' C files.
    headers: ClassVar[Mapping[str, Callable[[], str]]] = {}
    #: Libraries that its C file needs in the runtime: "crypto" is linked as -lcrypto.
    libraries: ClassVar[tuple[str, ...]] = ()
    #: Annotations that the class may write: names of clickbpf.vocabulary.annotations, e.g. ("PAINT",). A handover carries only annotations
    #: that some element may write; others are zero. "TIMESTAMP" is for classes that write the packet's timestamp, or read it by
    #: pkt_timestamp(): without any, it is the time of the handover.
    annotations: ClassVar[tuple[str, ...]] = ()
    #: How it needs and changes the alignment of packets in memory; a property if that depends on its arguments.
    alignment: AlignmentRule = AlignmentRule()
    #: Estimated BPF instructions of one inlined copy. Programs are cut at thousands of instructions, so classes below 60 needn't set it.
    weight: ClassVar[int] = 30
    #: A running element's views of its state, by name; and its runtime, if that is in this process.
    state: Any = None
    runtime: Any = None
    _is_fixed = False

    def __init_subclass__(cls, **head: Any):
        """Set the attributes in the class's `head`, such as `ports`, and create the handlers and the state of its settings."""
        super().__init_subclass__()
        for name, value in head.items():
            if name not in HEAD:
                raise TypeError(f"the head of {cls.__name__} has {name}; it may have {', '.join(HEAD)}")
            setattr(cls, name, value)
        for name, value in vars(cls).items():
            if name.upper() in Trait.__members__:
                raise TypeError(f"{cls.__name__}.{name} is a trait; write class {cls.__name__}(Element, traits={name.upper()})")
            asking = _ROLES.get(name)
            if asking and not issubclass(cls, asking):
                raise TypeError(f"{cls.__name__}.{name} belongs to a role; write class {cls.__name__}({asking.__name__}, ...)")
            if name in _GONE and isinstance(value, FunctionType | classmethod) and not hasattr(value, "clickbpf_handler"):
                raise TypeError(f"{cls.__name__}.{name} no longer exists: {_GONE[name]}")
        check_texts(cls.__name__, cls.__doc__ or "", vars(cls).get("args", ()))
        settings = [argument for argument in cls.args if argument.setting]
        for argument in settings:
            if not hasattr(cls, argument.field):
                setattr(cls, argument.field, field_handlers(argument.state, argument.type, argument.then))
        if settings and isinstance(cls.state_types, Mapping):
            cls.state_types = {**cls.state_types, **of_settings(cls.__name__, settings, cls.state_types)}

    def __init__(self, name: str, cfg: SimpleNamespace, ninputs: int, noutputs: int):
        self.name, self.cfg, self.ninputs, self.noutputs = name, cfg, ninputs, noutputs
        #: A mistake in the number of its arguments (configuring.py).
        self.miscounted: ArgError | None = None
        #: The context in which argument types resolve names; set before configure().
        self.context: Context = NOWHERE

    def __setattr__(self, name: str, value: Any) -> None:
        if self._is_fixed:
            raise AttributeError(f"'{self.name}' is configured: only a running element's {name} can be changed")
        super().__setattr__(name, value)

    # -- what a class may override ------------------------------------------------------------------------------------

    def configure(self) -> None:
        """Check the arguments together, and derive values from them (into `self.cfg`); ArgError if they contradict each other."""

    def gives(self, form: Form | None) -> Form | None:
        """The form of packets that leave it, if they arrived in this form (None: it makes them itself); None if no packet leaves."""
        waits = self.processing in (PUSH_TO_PULL, PULL_TO_PUSH)
        passes = waits or self.same_form or self.traits & (LOOKS | KEEPS_HEADER | ONLY_DECIDES | ONLY_COPIES | DOES_NOTHING)
        return form if form and passes else ANY

    def gives_by(self, output: int, form: Form | None) -> Form | None:
        """The same for one output, for classes whose outputs differ."""
        return self.gives(form)

    def warnings(self) -> Iterable[ArgError]:
        """Warnings about arguments that are valid, but probably mistaken."""
        return ()

    def constants(self) -> Constants:
        """More fields of the compile-time `cfg`: those `derived`, and others that a class adds in C."""
        return {name: (c_type, _c_value(c_type, value(self))) for name, (c_type, value) in self.derived.items()}

    def refers_to(self) -> Mapping[str, str]:
        """The elements whose functions and variables the C file may use: OTHER(recorder, take) is `take` of refers_to()["recorder"]. By
        default, those that arguments name, by the fields of `cfg`."""
        fields = [each.field for each in self.args if isinstance(each.type, ElementRef) and not isinstance(each, Rest)]
        return {field: name for field in fields if (name := getattr(self.cfg, field, None))}

    def code(self) -> str:
        """C for this instance, which is put before its C file: tables compiled into functions, named by SELF(...)."""
        return ""

    def begin(self) -> None:
        """Create the attributes that a running element has besides its state."""

    def initialise(self) -> None:
        """Fill new state (`self.state`) before the first packet. By default, fields of field_handlers that are named like an argument get
        its value."""
        for key, found in settings_of(type(self)):
            value = getattr(self.cfg, key, None)
            if value is not None:
                found.set(getattr(self.state, found.state), key, value)

    def notify(self, op: int | str = 0) -> None:
        """Run its CONTROL `op` after Python has changed its state, if it runs in this process."""
        if self.runtime is not None:
            self.runtime.control(op)

    def started(self) -> None:
        """Called in the runtime's process when all elements are initialised, before packets flow."""

    def hotswap_element(self) -> Self | None:
        """The element that this one replaces in a hot swap: that of the same name and class in the old router."""
        found = self.runtime.before() if self.runtime else None
        return found if type(found) is type(self) else None

    def take_state(self, before: Self) -> None:
        """Take over what `before`, the hotswap_element(), holds: packets, tables, open files. Both runtimes are stopped, but packets pass
        the new kernel path already: until this call, it has to give up packets whose treatment depends on a table that isn't filled yet."""

    def finished(self) -> None:
        """Called in the runtime's process once packets no longer flow."""

    def called(self, value: int) -> int | None:
        """Called when the C file calls call_python(value), which returns this method's result. It may call handlers."""

    def receives_from(self) -> str | None:
        """The device whose packets enter the router here, by its name in the configuration, or None."""
        return None

    def sends_to(self) -> str | None:
        """The device that sends the packets that arrive here, or None."""
        return None

    def copies(self) -> Copies:
        """The meaning of COPIES(n) in C, for each n."""
        return ()

    def shown(self) -> Look | None:
        """The part of packets that it has to see, if it only looks at them (looks.py). Such a class `runs` in user space only, but the
        kernel path goes on through its elements."""
        return None

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        """(offset, length) of the annotations that this instance may write; the timestamp's bytes are after the annotations'."""
        named = ((getattr(self.cfg, each.field), each.type.size) for each in self.args if getattr(each.type, "is_set", False))
        return (*(CARRIED[name] for name in self.annotations), *(place for place in named if place[0] is not None))

    # -- what the compiler asks -------------------------------------------------------------------------------------

    @classmethod
    def class_name(cls) -> str:
        return cls.__name__

    @classmethod
    def handlers(cls) -> dict[str, Handler]:
        """The class's handlers by name, those of its bases included."""
        return dict(handlers_of(cls))


def _c_value(c_type: str, value: Any) -> str:
    if c_type == "bool":
        return "true" if value else "false"
    return c_string(value) if isinstance(value, str) else f"{value:d}{'ULL' if c_type == '__u64' else ''}"


def fix(element: Element) -> None:
    """Make an element immutable: it is configured."""
    element.cfg = _Fixed(**vars(element.cfg))
    element._is_fixed = True


def running(configured: T, state: Mapping[str, Any], runtime: Any = None) -> T:
    """A running element with this configuration and these views of its state. Its runtime is this one (runtime/elements.py), or for None in
    another process."""
    made = copy(configured)
    vars(made).update(_is_fixed=False, state=SimpleNamespace(**state), runtime=runtime)
    made.begin()
    return made


def role(class_: type[T]) -> type[T]:
    """Declare a role, whose names only classes derived from it may define."""
    _ROLES.update((name, class_) for name in {**vars(class_), **class_.__annotations__} if not hasattr(Element, name))
    return class_


def subclasses_in(namespace: Mapping[str, Any], module: str) -> Iterable[type[Element]]:
    """The element classes that a module defines itself, without those whose names begin with an underscore."""
    for value in namespace.values():
        if inspect.isclass(value) and issubclass(value, Element) and value.__module__ == module and value.__name__[0] != "_":
            yield value
