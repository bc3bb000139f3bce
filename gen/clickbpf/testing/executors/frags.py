"""The kernel path for XDP frames in several buffers, by BPF_PROG_TEST_RUN, as the executor `bpf` does for frames in one.

A test run keeps as much of a frame in the first buffer as a page has room for, or `linear` bytes, which takes Linux 6.18.
"""

from collections.abc import Mapping
from dataclasses import replace

from clickbpf.load.kernel.fds import TestRun, XdpMd
from clickbpf.testing.executors.bpf import LONGEST, Bpf
from clickbpf.testing.executors.source import Source


class Frags(Bpf):
    name = "frags"
    #: 17 more buffers have more room; the handover records of longer frames overflow.
    longest = 65535 - 512
    #: Bytes in the first buffer; None for as many as it has room for.
    linear: int | None = None

    def __init__(self, source: Source, devices: Mapping[str, str], clock: int | None = None):
        super().__init__(replace(source, options=(*source.options, ("frags", True))), devices, clock)

    def test_run(self, device: str, packet: bytes, room: int, repeat: int = 1) -> TestRun:
        first = min(len(packet), LONGEST if self.linear is None else self.linear)
        context = b"" if self.linear is None else bytes(XdpMd(data_end=first))
        return self._programs[device].test_run(packet, context, room=room, repeat=repeat)
