"""How many BPF instructions one packet takes: by interpretation of what the kernel's verifier has made of a program.

Unlike times, the number is the same in every run and on a busy machine, and a change of a generated program by a single instruction
shows. A helper that the verifier doesn't inline counts as one; what an instruction costs is another matter.
"""

from __future__ import annotations

import ctypes
import struct
from collections import defaultdict
from dataclasses import dataclass

from clickbpf.load.kernel.fds import Map, Program, ProgramInfo
from clickbpf.load.kernel.libbpf import check, lib

XDP_REDIRECT = 4
#: Where the interpreter has what: any places that are far apart. A map's handle is what a program gives to helpers;
#: beyond the end are addresses in the kernel, of which only the number of this CPU is asked for: 0.
CONTEXT, PACKET, STACK, HANDLES, VALUES, END = 1 << 12, 1 << 16, 1 << 20, 1 << 48, 1 << 56, 1 << 60
MAP_SHIFT = 32
WORD, DOUBLE = (1 << 32) - 1, (1 << 64) - 1
SIZES = {0x00: 4, 0x08: 2, 0x10: 1, 0x18: 8}
#: Classes of instructions (RFC 9669, section 3.1).
LD, LDX, ST, STX, ALU, JMP, JMP32, ALU64 = range(8)


class Unknown(Exception):
    """An instruction that a path of the programs measured here doesn't have."""


@dataclass(frozen=True)
class Run:
    """What became of a packet: instructions executed by their index, the verdict, and the frame afterwards."""

    path: tuple[int, ...]
    verdict: int
    frame: bytes


class Translated:
    """A loaded XDP program and the maps it uses. Maps are read as they are when it is made, and never changed."""

    def __init__(self, program: Program):
        self.code = _translated(program)

    def run(self, frame: bytes) -> Run:
        """The path of a packet that the program redirects, passes or drops without calling a function of its own."""
        return _Machine(self.code, frame).run()


def executed(program: Program, frame: bytes) -> int:
    """The number of instructions that the packet takes."""
    return len(Translated(program).run(frame).path)


def _translated(program: Program) -> list[tuple[int, int, int, int, int]]:
    """The program's instructions: operation, target and source register, offset, constant."""
    info = program.info()
    buffer = ctypes.create_string_buffer(info.xlated_prog_len)
    again = ProgramInfo(xlated_prog_len=len(buffer), xlated_prog_insns=ctypes.addressof(buffer))
    size = ctypes.c_uint32(ctypes.sizeof(again))
    check(lib.bpf_obj_get_info_by_fd(program.fd, ctypes.byref(again), ctypes.byref(size)), "reading a program")
    return [(op, registers & 15, registers >> 4, offset, value) for op, registers, offset, value in struct.iter_unpack("<BBhi", buffer.raw)]


class _Memory:
    """Bytes by address. What a program hasn't written is 0, or what the map has."""

    def __init__(self) -> None:
        self.written: dict[int, int] = {}
        self.maps: dict[int, Map] = {}
        self.values: dict[tuple[int, int], bytes] = {}

    def get(self, at: int, size: int) -> int:
        return sum(self.byte(at + i) << 8 * i for i in range(size))

    def put(self, at: int, size: int, value: int) -> None:
        for i in range(size):
            self.written[at + i] = value >> 8 * i & 0xFF

    def byte(self, at: int) -> int:
        if at in self.written:
            return self.written[at]
        return self.of_map((at - VALUES) >> MAP_SHIFT, at & WORD) if VALUES <= at < END else 0

    def of_map(self, number: int, offset: int) -> int:
        if number not in self.maps:
            self.maps[number] = Map(check(lib.bpf_map_get_fd_by_id(number), "opening a map"))
        held = self.maps[number]
        stride = -(-held.info().value_size // 8) * 8
        key = offset // stride
        if (number, key) not in self.values:
            self.values[number, key] = held.lookup(key.to_bytes(4, "little")) or bytes(stride)
        return self.values[number, key].ljust(stride, b"\0")[offset % stride]

    def close(self) -> None:
        for held in self.maps.values():
            held.close()


class _Machine:
    def __init__(self, code: list[tuple[int, int, int, int, int]], frame: bytes):
        self.code, self.memory = code, _Memory()
        self.registers = defaultdict(int, {1: CONTEXT, 10: STACK})
        self.length = len(frame)
        for at, byte in enumerate(frame):
            self.memory.put(PACKET + at, 1, byte)
        self.place_frame()

    def place_frame(self) -> None:
        """What struct xdp_buff begins with."""
        self.memory.put(CONTEXT, 8, PACKET)
        self.memory.put(CONTEXT + 8, 8, PACKET + self.length)

    def run(self) -> Run:
        at, path = 0, []
        try:
            while True:
                path.append(at)
                step = self.step(at, *self.code[at])
                if step is None:
                    frame = bytes(self.memory.byte(PACKET + i) for i in range(self.length))
                    return Run(tuple(path), self.registers[0] & WORD, frame)
                at += step
        finally:
            self.memory.close()

    def step(self, at: int, op: int, target: int, source: int, offset: int, value: int) -> int | None:
        """Execute one; how far the next one is, or None at the end."""
        registers, kind = self.registers, op & 7
        if op == 0x18:
            registers[target] = self.wide(source, value, self.code[at + 1][4])
            return 2
        if kind in (ALU, ALU64):
            self.calculate(op, target, source, offset, value)
        elif op & 0xE0 == 0x60 and kind == LDX:
            registers[target] = self.memory.get(registers[source] + offset & DOUBLE, SIZES[op & 0x18])
        elif op & 0xE0 == 0x60 and kind in (ST, STX):
            self.memory.put(registers[target] + offset & DOUBLE, SIZES[op & 0x18], (registers[source] if kind == STX else value) & DOUBLE)
        elif kind in (JMP, JMP32):
            return self.jump(op, target, source, offset, value)
        else:
            raise Unknown(f"{at}: {op:#x}")
        return 1

    def wide(self, kind: int, value: int, high: int) -> int:
        """The constant of 64 bits, or the address of a map or of a place in its value (RFC 9669, section 5.4)."""
        if kind == 0:
            return (high & WORD) << 32 | value & WORD
        if kind == 1:
            return HANDLES + (value << MAP_SHIFT)
        return VALUES + (value << MAP_SHIFT) + (high & WORD)

    def calculate(self, op: int, target: int, source: int, offset: int, value: int) -> None:
        registers, what, is_long = self.registers, op & 0xF0, op & 7 == ALU64
        mask, bits = (DOUBLE, 63) if is_long else (WORD, 31)
        if what == 0xD0:
            low, order = registers[target] & (1 << value) - 1, "big" if op & 8 or is_long else "little"
            registers[target] = int.from_bytes(low.to_bytes(value // 8, "little"), order)
            return
        a, b = registers[target] & mask, (registers[source] if op & 8 else value) & mask
        if what == 0x00 and is_long and not op & 8 and HANDLES <= a < VALUES and not a & WORD:
            result = a - HANDLES + VALUES  # an array's values stand in struct bpf_array
        elif what == 0xB0 and offset in (8, 16, 32):
            result = _signed(b & (1 << offset) - 1, offset - 1)
        else:
            result = _ARITHMETIC[what](a, b, bits)
        registers[target] = result & mask

    def jump(self, op: int, target: int, source: int, offset: int, value: int) -> int | None:
        registers, what = self.registers, op & 0xF0
        if what == 0x90:
            return None
        if what == 0x80:
            self.call(source)
            return 1
        if what == 0x00:
            return 1 + (value if op & 7 == JMP32 else offset)
        mask, bits = (DOUBLE, 63) if op & 7 == JMP else (WORD, 31)
        taken = _CONDITIONS[what](registers[target] & mask, (registers[source] if op & 8 else value) & mask, bits)
        return 1 + offset if taken else 1

    def call(self, source: int) -> None:
        """A redirect, which is given a map, or a cut of the frame's end, which is given the context."""
        if source:
            raise Unknown("a call of one of the program's own functions")
        first, second = self.registers[1], self.registers[2]
        if HANDLES <= first < VALUES:
            self.registers[0] = XDP_REDIRECT
        elif first == CONTEXT:
            self.length += _signed(second & WORD, 31)
            self.place_frame()
            self.registers[0] = 0
        else:
            raise Unknown("a helper that is neither a redirect nor a cut of the frame's end")


def _signed(value: int, sign: int) -> int:
    """A number of two's complement whose sign is this bit."""
    return value - (2 << sign) if value >> sign else value


_ARITHMETIC = {
    0x00: lambda a, b, bits: a + b,
    0x10: lambda a, b, bits: a - b,
    0x20: lambda a, b, bits: a * b,
    0x30: lambda a, b, bits: a // b if b else 0,
    0x40: lambda a, b, bits: a | b,
    0x50: lambda a, b, bits: a & b,
    0x60: lambda a, b, bits: a << (b & bits),
    0x70: lambda a, b, bits: a >> (b & bits),
    0x80: lambda a, b, bits: -a,
    0x90: lambda a, b, bits: a % b if b else a,
    0xA0: lambda a, b, bits: a ^ b,
    0xB0: lambda a, b, bits: b,
    0xC0: lambda a, b, bits: _signed(a, bits) >> (b & bits),
}
_CONDITIONS = {
    0x10: lambda a, b, bits: a == b,
    0x20: lambda a, b, bits: a > b,
    0x30: lambda a, b, bits: a >= b,
    0x40: lambda a, b, bits: bool(a & b),
    0x50: lambda a, b, bits: a != b,
    0x60: lambda a, b, bits: _signed(a, bits) > _signed(b, bits),
    0x70: lambda a, b, bits: _signed(a, bits) >= _signed(b, bits),
    0xA0: lambda a, b, bits: a < b,
    0xB0: lambda a, b, bits: a <= b,
    0xC0: lambda a, b, bits: _signed(a, bits) < _signed(b, bits),
    0xD0: lambda a, b, bits: _signed(a, bits) <= _signed(b, bits),
}
