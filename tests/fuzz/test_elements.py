"""A moment of libFuzzer on the classes that take most of a packet apart; `make fuzz` takes all of them, for as long as
requested."""

import re
import subprocess
from pathlib import Path

import pytest
from tests.fuzz.elements import fuzzer_library, spawn

from clickbpf.errors import ClickError

RUNS = 150


def without_fuzzer() -> bool:
    try:
        return fuzzer_library() is None
    except ClickError:
        return True


pytestmark = pytest.mark.skipif(without_fuzzer(), reason="needs libFuzzer (Debian: libclang-rt-19-dev)")


def fuzz(folder: Path, *classes: str) -> subprocess.CompletedProcess[str]:
    return spawn(classes, [f"-runs={RUNS}", "-seed=1", "-close_fd_mask=1"], folder, 300)


@pytest.mark.whole
@pytest.mark.parametrize(
    "classes",
    [("IPReassembler", "FTPPortMapper", "IPGWOptions", "ICMPRewriter", "IPFragmenter"), ("CheckIP6Header", "ICMP6Error", "IP6NDSolicitor")],
    ids=["ip", "ip6"],
)
def test_nothing_is_read_or_written_beyond_its_end(tmp_path, classes):
    done = fuzz(tmp_path, *classes)
    assert done.returncode == 0, done.stderr[-6000:]
    covered = re.findall(r"DONE +cov: (\d+)", done.stderr)
    assert covered and int(covered[0]) > 200, "libFuzzer sees what its inputs reach"
