"""Opens, adjusts and loads BPF object files."""

import ctypes
import errno
import fcntl
import mmap
import re
from collections.abc import Iterable, Iterator
from ctypes import byref, c_size_t, c_uint32

from clickbpf.closing import Closing
from clickbpf.interrupts import uninterrupted
from clickbpf.load.kernel.fds import Content, Map, Program, bytes_of
from clickbpf.load.kernel.libbpf import BTF_KIND_DATASEC, BpfError, ObjectOpenOpts, check, forget_messages, formatted, lib

#: The size of the verifier's log; memory is only used as far as the log grows.
LOG_SIZE = 1 << 26


#: Errors of loading that may have come before the kernel looked at a program.
OUT_OF_ROOM = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EPERM})
#: The verifier's message, with ENOMEM, about a program in which a jump no longer reaches its target, because the verifier has inserted
#: instructions.
OUT_OF_REACH = "cannot be patched due to 16-bit range"
#: libbpf's message about a map of variables that it hasn't created. Kernels since 5.2 support such maps, so libbpf's check of that must
#: have failed for lack of a descriptor.
_LEFT_OUT = "is referenced but wasn't created"
#: Kinds of types in BTF (<linux/btf.h>); the transparent ones are volatile, const and variables.
BTF_KIND_ARRAY, TRANSPARENT = 3, frozenset({9, 10, 14})


class VerifierError(BpfError):
    """A program that the verifier refused: `program` is its C name, `verifier_log` the verifier's log."""

    def __init__(self, program: str, error: BpfError, verifier_log: str):
        super().__init__(f"the kernel refused the program {program}", error.errno, error.log)
        self.program = program
        self.verifier_log = verifier_log


class BtfType(ctypes.Structure):
    """struct btf_type: the number of members is the low half of `info`; of a variable, `size` is its type's number."""

    _fields_ = [("name_off", c_uint32), ("info", c_uint32), ("size", c_uint32)]


class BtfVariable(ctypes.Structure):
    """struct btf_var_secinfo: one variable of a section."""

    _fields_ = [("type", c_uint32), ("offset", c_uint32), ("size", c_uint32)]


class BtfArray(ctypes.Structure):
    """struct btf_array: what follows the struct btf_type of an array."""

    _fields_ = [("type", c_uint32), ("index_type", c_uint32), ("length", c_uint32)]


class Object(Closing):
    """An object file in memory. Adjust it, `load` it, take descriptors from it, close it."""

    def __init__(self, content: bytes, name: str = "clickbpf"):
        self._content = content
        self._log = mmap.mmap(-1, LOG_SIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._log_view = ctypes.c_char.from_buffer(self._log)
        options = ObjectOpenOpts(object_name=name.encode(), kernel_log_buf=ctypes.addressof(self._log_view), kernel_log_size=LOG_SIZE)
        with uninterrupted():
            self._handle = check(lib.bpf_object__open_mem(content, len(content), byref(options)), f"opening the object {name}")
        self._programs = {lib.bpf_program__name(p).decode(): p for p in self._each(lib.bpf_object__next_program)}
        self._maps = {_map_name(lib.bpf_map__name(m).decode()): m for m in self._each(lib.bpf_object__next_map)}

    def _each(self, following) -> Iterator[int]:
        item = following(self._handle, None)
        while item:
            yield item
            item = following(self._handle, item)

    @property
    def handle(self) -> int:
        """libbpf's pointer, for other libraries."""
        return self._handle

    @property
    def programs(self) -> tuple[str, ...]:
        """C names of the programs."""
        return tuple(self._programs)

    @property
    def maps(self) -> tuple[str, ...]:
        """C names of the maps; for data sections, such as .rodata, the sections' names."""
        return tuple(self._maps)

    def section(self, program: str) -> str:
        """The ELF section of a program, which determines its type."""
        return lib.bpf_program__section_name(self._programs[program]).decode()

    def map_type(self, name: str) -> str:
        """A map's type, by the kernel's name in lower case, such as "percpu_array"."""
        return lib.libbpf_bpf_map_type_str(lib.bpf_map__type(self._maps[name])).decode()

    def max_entries(self, name: str) -> int:
        return lib.bpf_map__max_entries(self._maps[name])

    def set_max_entries(self, name: str, entries: int) -> None:
        check(lib.bpf_map__set_max_entries(self._maps[name], entries), f"setting the size of the map {name}")

    def resize(self, section: str, elements: int) -> None:
        """Resize the array that a data section consists of to this number of elements, at most as many as it was compiled with."""
        btf = lib.bpf_object__btf(self._handle)
        whole = lib.btf__type_by_id(btf, lib.btf__find_by_name_kind(btf, section.encode(), BTF_KIND_DATASEC))
        variable = BtfVariable.from_address(whole + ctypes.sizeof(BtfType))
        declared = BtfType.from_address(lib.btf__type_by_id(btf, variable.type))
        array = BtfArray.from_address(lib.btf__type_by_id(btf, declared.size) + ctypes.sizeof(BtfType))
        if elements > array.length:
            raise BpfError(f"making room for {elements} CPUs and threads in {section}, which has it for {array.length}", errno.E2BIG)
        size = variable.size // array.length * elements
        BtfType.from_address(whole).size = variable.size = size
        array.length = elements
        before = self._initial(section)
        check(lib.bpf_map__set_value_size(self._maps[section], size), f"setting the size of {section}")
        _unmap_rest(before, self._initial(section))

    def reuse(self, name: str, existing: Map) -> None:
        """Use an existing map instead of creating a new one; type and sizes have to agree."""
        check(lib.bpf_map__reuse_fd(self._maps[name], existing.fd), f"reusing the map {name}")

    def set_attach_type(self, program: str, attach_type: int) -> None:
        """Set a program's expected attach type, 0 for none: only programs with the same one can tail-call it."""
        check(lib.bpf_program__set_expected_attach_type(self._programs[program], attach_type), f"preparing the program {program}")

    def set_autoload(self, program: str, load: bool) -> None:
        check(lib.bpf_program__set_autoload(self._programs[program], load), f"choosing the program {program}")

    def variables(self, section: str = ".rodata") -> dict[str, tuple[int, int]]:
        """Global variables of a data section: name -> (offset, size) in bytes."""
        btf = lib.bpf_object__btf(self._handle)
        found = {}
        for variable in self._variables(section):
            named = BtfType.from_address(lib.btf__type_by_id(btf, variable.type))
            found[lib.btf__name_by_offset(btf, named.name_off).decode()] = (variable.offset, variable.size)
        return found

    def _variables(self, section: str) -> Iterator[BtfVariable]:
        """The variables of a data section; empty if the section doesn't exist."""
        btf = lib.bpf_object__btf(self._handle)
        number = lib.btf__find_by_name_kind(btf, section.encode(), BTF_KIND_DATASEC) if btf else -1
        if number >= 0:
            address = lib.btf__type_by_id(btf, number)
            count = BtfType.from_address(address).info & 0xFFFF
            yield from (BtfVariable * count).from_address(address + ctypes.sizeof(BtfType))

    def definitions(self, maps: Iterable[str]) -> str:
        """C that defines, each once, the types of all global variables and of these maps' values, and the types that these consist of."""
        text: list[str] = []

        @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        def add(_, template: bytes, arguments: int) -> None:
            text.append(formatted(template, arguments))

        types = [self._element(each.type) for section in self.maps if section.startswith(".") for each in self._variables(section)]
        types += filter(None, (lib.bpf_map__btf_value_type_id(self._maps[name]) for name in maps if not name.startswith(".")))
        dump = check(lib.btf_dump__new(lib.bpf_object__btf(self._handle), add, None, None), "reading the object's types")
        try:
            for number in types:
                check(lib.btf_dump__dump_type(dump, number), "writing the object's types")
        finally:
            lib.btf_dump__free(dump)
        return "".join(text)

    def _element(self, number: int) -> int:
        """The type of a variable; for an array, the type of its elements."""
        address = lib.btf__type_by_id(lib.bpf_object__btf(self._handle), number)
        declared = BtfType.from_address(address)
        kind = declared.info >> 24 & 0x1F
        if kind == BTF_KIND_ARRAY:
            return self._element(BtfArray.from_address(address + ctypes.sizeof(BtfType)).type)
        return self._element(declared.size) if kind in TRANSPARENT else number

    def set_variable(self, name: str, value: Content, section: str = ".rodata") -> None:
        """Set a `const volatile` variable before the load; KeyError if there is none of that name.

        `value` may be shorter than the variable (the rest stays as it is), but not longer.
        """
        offset, size = self.variables(section)[name]
        value = bytes_of(value)
        if len(value) > size:
            raise ValueError(f"{name} has {size} bytes, not {len(value)}")
        start, _ = self._initial(section)
        ctypes.memmove(start + offset, value, len(value))

    def _initial(self, section: str) -> tuple[int, int]:
        """The address and length of a data section's initial content, before the load."""
        length = c_size_t()
        start = lib.bpf_map__initial_value(lib.bpf_object__find_map_by_name(self._handle, section.encode()), byref(length))
        return start, length.value

    def load(self) -> None:
        """Create the maps and load the programs; VerifierError if a program is refused, BpfError for other errors."""
        forget_messages()
        try:
            with uninterrupted():  # an interrupt in the callback for messages would be lost
                check(lib.bpf_object__load(self._handle), "loading the object")
        except BpfError as error:
            refused = re.search(r"prog '([^']+)': BPF program load failed", error.log)
            if not refused or (error.errno in OUT_OF_ROOM and OUT_OF_REACH not in self.log()):
                raise
            if _LEFT_OUT in self.log():
                raise BpfError("making the maps", errno.EMFILE, error.log) from None
            raise VerifierError(refused[1], error, self.log()) from None

    def log(self) -> str:
        """The verifier's log of the last program that has one."""
        return ctypes.string_at(ctypes.addressof(self._log_view)).decode(errors="replace")

    def program(self, name: str) -> Program:
        """A loaded program, with a descriptor that the caller owns."""
        return Program(_duplicate(check(lib.bpf_program__fd(self._programs[name]), f"finding the program {name}")))

    def map(self, name: str) -> Map:
        """A created map, with a descriptor that the caller owns."""
        return Map(_duplicate(check(lib.bpf_map__fd(self._maps[name]), f"finding the map {name}")))

    def close(self) -> None:
        if self._handle:
            lib.bpf_object__close(self._handle)
            self._handle = None
            del self._log_view
            self._log.close()


_libc = ctypes.CDLL(None, use_errno=True)
_libc.munmap.argtypes = (ctypes.c_void_p, c_size_t)


def _map_name(libbpf_name: str) -> str:
    """The section's name, before which libbpf sometimes puts the object's name."""
    return libbpf_name[libbpf_name.find(".") :] if "." in libbpf_name else libbpf_name


def _unmap_rest(before: tuple[int, int], now: tuple[int, int]) -> None:
    """Free the pages that a section no longer needs: libbpf before 1.3 forgets how many it had."""
    (start, length), (again, shorter) = before, now
    end, kept = (-(-size // mmap.PAGESIZE) * mmap.PAGESIZE for size in (length, shorter))
    if again == start and kept < end and _libc.munmap(start + kept, end - kept):
        raise OSError(ctypes.get_errno(), "giving pages back")


def _duplicate(fd: int) -> int:
    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 3)
