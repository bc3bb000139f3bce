"""The kernel path for XDP frames in several buffers, by BPF_PROG_TEST_RUN; the executor `bpf` has frames in one buffer.

A test run puts as much of a frame into the first buffer as fits into a page, or `linear` bytes, which needs Linux 6.18.
"""

from collections.abc import Mapping
from dataclasses import replace

from clickbpf.load.kernel.fds import TestRun, XdpMd
from clickbpf.testing.executors.bpf import LONGEST, Bpf
from clickbpf.testing.executors.source import Source


class Frags(Bpf):
    name = "frags"
    #: 17 more buffers have room for more, but handover records can't hold longer frames.
    longest = 65535 - 512
    #: Bytes in the first buffer; None for as many as fit.
    linear: int | None = None

    def __init__(self, source: Source, devices: Mapping[str, str], clock: int | None = None):
        super().__init__(replace(source, options=(*source.options, ("frags", True))), devices, clock)

    def test_run(self, device: str, packet: bytes, room: int, repeat: int = 1) -> TestRun:
        first = min(len(packet), LONGEST if self.linear is None else self.linear)
        context = b"" if self.linear is None else bytes(XdpMd(data_end=first))
        return self._programs[device].test_run(packet, context, room=room, repeat=repeat)
