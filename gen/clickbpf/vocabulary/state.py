"""Elements' state: declared once, with the same layout in BPF maps, in the runtime's memory and in Python.

A state is declared by its kind. The emitters make the BPF map (with BTF, so that bpftool shows the field names) and the native
accessor, the loader makes the memory, and handlers access it through `View`s:

    PerThread(count=u64)        one cache-line-aligned value for each CPU and each runtime thread; C: slot(counters)
    Array(64, addr=be32)        values shared by both executors;                                    C: at(routes, i)
    Vars(color=u8)              one shared value: configuration that write handlers change;          C: var(vars)
    Common(number=u32)          the same, shared by all elements that have a state of this name;     C: var(numbers)
    Private(head=u32, ring=ptr) one value in the runtime's memory only;                              C: private(queue)

A state marked `outliving(...)` is in a pinned map of the kernel path even if the element runs in user space. An array marked
`for_runtime(...)` is in a map that no program of the kernel path uses.

Field types are ctypes classes with names in C.
"""

import ctypes
from collections.abc import Callable, Iterable, Iterator, Mapping
from struct import calcsize
from typing import Any, TypeVar

from clickbpf.frozen import frozen

u8, u16, u32, u64 = ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64
s32, s64 = ctypes.c_int32, ctypes.c_int64
#: Fields in network byte order; Python reads and writes them as host integers.
be16, be32 = ctypes.c_uint16.__ctype_be__, ctypes.c_uint32.__ctype_be__


class ptr(ctypes.c_uint64):
    """A pointer of the runtime (`void *`); only in Private."""


ether = ctypes.c_uint8 * 6

C_NAMES = {u8: "__u8", u16: "__u16", u32: "__u32", u64: "__u64", s32: "__s32", s64: "__s64", be16: "__be16", be32: "__be32", ptr: "void *"}

CACHE_LINE = 64
#: Every value begins at a multiple of this, which its C struct's size is a multiple of as well.
ALIGNMENT = 8
#: Bytes of a word -> memoryview's name for it.
_WORDS = {1: "B", 2: "H", 4: "I", 8: "Q"}


@frozen
class Field:
    """One member of a state's struct: a C type name and, for an array, its length."""

    name: str
    type: Any

    @property
    def c_declaration(self) -> str:
        length = getattr(self.type, "_length_", None)
        return f"{_c_name(self.type)} {self.name}" if length is None else f"{_c_name(self.type._type_)} {self.name}[{length}]"


def _c_name(type_: Any) -> str:
    """The name of a field's type in C; a structure has it as `c_name`."""
    return getattr(type_, "c_name", "") or C_NAMES[type_]


class State:
    """The base of the kinds. `fields` are the struct's members in order."""

    #: Whether it is in a BPF map, and not in the runtime's memory alone.
    shared = True
    #: Whether it must survive the runtime's death, wherever the element runs (outliving()).
    outlives = False
    #: Whether the kernel path's programs use it (for_runtime()).
    in_programs = True
    #: The alignment of values, in memory of the state's own.
    spacing = 8

    def __init__(self, **fields: Any):
        self.fields = tuple(Field(name, type_) for name, type_ in fields.items())
        self.struct = type("Value", (ctypes.Structure,), {"_fields_": [(f.name, f.type) for f in self.fields]})

    def c_structure(self, name: str, alignment: int = ALIGNMENT) -> str:
        """The C struct of a value, aligned to that many bytes."""
        members = "".join(f"\t{field.c_declaration};\n" for field in self.fields)
        return f"struct {name} {{\n{members}}} __attribute__((aligned({alignment})));\n"

    @property
    def stride(self) -> int:
        """Bytes from one value to the next in memory of the state's own."""
        return -(-ctypes.sizeof(self.struct) // self.spacing) * self.spacing

    def entries(self, element: Any, slots: int) -> int:
        """The number of values for one element, with `slots` CPUs and runtime threads in all."""
        raise NotImplementedError(type(self).__name__)


class PerThread(State):
    """Values that both executors write often: one for each CPU and each runtime thread, so that no write is lost."""

    spacing = CACHE_LINE

    def entries(self, element, slots):
        return slots


class Array(State):
    """`size` values shared by both executors; `size` is a number or a function of the element."""

    def __init__(self, size: int | Callable[[Any], int], **fields: Any):
        super().__init__(**fields)
        self.size = size

    def entries(self, element, slots):
        return self.size(element) if callable(self.size) else self.size


class DirectArray(Array):
    """An array of at most a megabyte that nearly every packet in the kernel path needs: accessed without a lookup, as it has no map of its
    own."""


class Vars(State):
    """One value shared by both executors, such as a setting that a write handler changes while packets flow."""

    def entries(self, element, slots):
        return 1


class Common(Vars):
    """One value shared by both executors and by all elements of a router that have a Common of the same name and fields."""


#: The state `settings` of classes whose C files call setting(): whether handlers have ever changed a setting of the router.
SETTINGS, SETTINGS_NAME = Common(changed=u8), "settings"


#: The types of fields that contain settings, by the C type of the argument's values.
_FIELDS = {"bool": u8, "__u8": u8, "__u16": u16, "__u32": u32, "__u64": u64, "__s32": s32, "__s64": s64, "__be32": be32, "__u8[6]": ether}


def of_settings(class_name: str, settings: Iterable[Any], declared: Mapping[str, State]) -> dict[str, State]:
    """The states for arguments that are settings (args/declare.py), as far as the class doesn't declare them itself."""
    found: dict[str, dict[str, Any]] = {}
    for each in settings:
        if each.state not in declared:
            if each.type.c_type not in _FIELDS:
                raise TypeError(f"{class_name}: declare the state '{each.state}': no field is made for {each.name}")
            found.setdefault(each.state, {})[each.field] = _FIELDS[each.type.c_type]
    own = {SETTINGS_NAME: SETTINGS} if any(each.setting is True for each in settings) and SETTINGS_NAME not in declared else {}
    return {**{name: Vars(**fields) for name, fields in found.items()}, **own}


class Private(State):
    """One value in the runtime's own memory: packet queues, rings, and whatever other processes needn't see."""

    shared = False

    def entries(self, element, slots):
        return 1


Kind = TypeVar("Kind", bound=State)


def outliving(kind: Kind) -> Kind:
    """Mark a state, of any kind but PerThread and Private, that must survive the death of a runtime, because security depends on it: the
    sequence numbers that were used with a key, for example. If the kernel path doesn't run the element, the state is in a map of its own,
    where the next runtime finds it. A router that replaces another gets it by `Successor.succeed`, even if the other's runtime is dead."""
    kind.outlives = True
    return kind


def for_runtime(kind: Kind) -> Kind:
    """Mark an Array that only the runtime and handlers use: it doesn't count among the arrays of a program, which may use few
    (plan/cut.py). In the kernel path C has no accessor for it."""
    kind.in_programs = False
    return kind


class View:
    """Python's access to one state's memory: `view[i].field`, and for a single value `view.field`."""

    def __init__(self, kind: State, memory: memoryview, entries: int, stride: int | None = None):
        """`memory` begins with the first value; `stride` is the bytes from one value to the next, if other states are between them."""
        object.__setattr__(self, "_kind", kind)
        object.__setattr__(self, "_stride", stride or kind.stride)
        object.__setattr__(self, "_memory", memory)
        object.__setattr__(self, "_entries", entries)

    def __getitem__(self, index: int) -> Any:
        if not 0 <= index < self._entries:
            raise IndexError(index)
        return self._kind.struct.from_buffer(self._memory, index * self._stride)

    def __len__(self) -> int:
        return self._entries

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(self._entries))

    def __getattr__(self, name: str) -> Any:
        return getattr(self[0], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self[0], name, value)

    def column(self, field: str, word: str | None = None, index: int = 0) -> memoryview:
        """A field's words in all values, as they are in memory: unsigned and of the field's size, or of the format `word` ("i", "Q"); of a
        field of several words the one at `index`."""
        place = getattr(self._kind.struct, field)
        word = word or _WORDS[place.size]
        size = calcsize(word)
        words = self._memory.cast("B")[: len(self._memory) // size * size].cast(word)
        return words[place.offset // size + index :: self._stride // size][: self._entries]

    def sum(self, field: str) -> int:
        """The field's total over CPUs and threads."""
        return sum(getattr(value, field) for value in self)

    def clear(self) -> None:
        """Set every byte of the values to zero, and no byte of other states between them."""
        if self._stride == ctypes.sizeof(self._kind.struct):
            ctypes.memset(ctypes.addressof(self[0]), 0, self._entries * self._stride)
            return
        for value in self:
            ctypes.memset(ctypes.addressof(value), 0, ctypes.sizeof(value))

    def content(self) -> bytes:
        """The values' bytes, one after another."""
        size = ctypes.sizeof(self._kind.struct)
        if self._stride == size:
            return bytes(self._memory[: self._entries * size])
        if self._entries and size in _WORDS and self._stride % size == 0:  # a million small values take no longer than their memory
            return self._memory[: (self._entries - 1) * self._stride + size].cast(_WORDS[size])[:: self._stride // size].tobytes()
        return b"".join(bytes(value) for value in self)


def address(view: View) -> int:
    """The address of the values' memory in this process."""
    return ctypes.addressof(ctypes.c_char.from_buffer(view._memory))


def plain_memory(kinds: Mapping[str, State], element: Any, slots: int) -> dict[str, View]:
    """Views over ordinary memory filled with zeros, for state that isn't in the kernel."""
    views = {}
    for name, kind in kinds.items():
        entries = kind.entries(element, slots)
        views[name] = View(kind, memoryview(bytearray(entries * kind.stride)), entries)
    return views
