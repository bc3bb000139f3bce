"""The kernel path on TC, by BPF_PROG_TEST_RUN; the executor `bpf` has it on XDP.

A packet arrives in the form that Linux gives received packets, with its outermost VLAN tag beside the frame. A program that runs first
(received.bpf.c) puts it there. The program also truncates packets, since test runs refuse those that end in the middle of an IP header.
"""

import struct
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from clickbpf.build.bpf import build_program
from clickbpf.closing import Closing
from clickbpf.load.kernel.fds import Map, Program, TestRun
from clickbpf.load.kernel.objects import Object
from clickbpf.objects.hooks import TC
from clickbpf.testing.executors.bpf import Bpf
from clickbpf.testing.executors.source import Source

#: A length that test runs accept for any packet.
LONG_ENOUGH = 64
#: Offsets of `cb` and `gso_size` in struct __sk_buff, and its size.
_CB, _GSO_SIZE, _SIZE = 48, 176, 192


class Tc(Bpf):
    name = "tc"
    #: The next packets are joined (GRO) from TCP segments with this many bytes of data; 0: they aren't joined.
    joined = 0

    def __init__(self, source: Source, devices: Mapping[str, str], clock: int | None = None):
        super().__init__(replace(source, options=(*source.options, ("hook", TC))), devices, clock)
        with ExitStack() as undo:
            undo.push(self._undo)
            self._received = {device: undo.enter_context(_Received(program)) for device, program in self._programs.items()}
            self._undo = undo.pop_all()

    def test_run(self, device: str, packet: bytes, room: int) -> TestRun:
        context = bytearray(_SIZE)
        struct.pack_into("=I", context, _CB, len(packet))
        struct.pack_into("=I", context, _GSO_SIZE, self.joined)
        program = self._received[device].program
        return program.test_run(packet.ljust(LONG_ENOUGH, b"\0"), bytes(context), room=room + LONG_ENOUGH)


class _Received(Closing):
    """A program that gives the packet the form of one received by Linux, and then calls another program."""

    program: Program
    following: Map

    def __init__(self, program: Program):
        with Object(build_program(Path(__file__).with_name("received.bpf.c")).read_bytes(), "received") as opened:
            opened.load()
            self.program, self.following = opened.program("received"), opened.map("next")
        self.following.update(0, program.fd)

    def close(self) -> None:
        self.program.close()
        self.following.close()  # the map loses its programs when its last descriptor is closed
