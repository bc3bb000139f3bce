"""How much of a frame test runs of the executor `frags` have in the first buffer."""

import os
import re

import pytest

from clickbpf.load.kernel.libbpf import BpfError
from clickbpf.testing.executors import start
from clickbpf.testing.executors.frags import Frags


def set_first_buffer(monkeypatch: pytest.MonkeyPatch, length: int | None) -> None:
    """So many bytes; None for as many as it has room for, which is all that Linux before 6.18 can do: there the test is skipped."""
    monkeypatch.setattr(Frags, "linear", length)
    if length is None:
        return
    with start("FromDevice(eth0) -> Discard;", "frags") as probe:
        try:
            probe.run("eth0", bytes(length + 1000))
        except BpfError:
            if tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) >= (6, 18):
                raise
            pytest.skip("Linux before 6.18 fills the first buffer in test runs")
