"""Tests once more under sanitizers: nothing is used after it is freed, or after a packet's end, or by two threads at once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from clickbpf.build.host import sanitizer_library

HERE = Path(__file__).parent
#: Seconds for which shared_state.py goes on, if it is to be long.
STRESS = float(os.environ.get("CLICKBPF_STRESS", "0"))


def sanitized(*tests: Path | str, sanitize: str = "address") -> subprocess.CompletedProcess:
    environment = {
        **os.environ,
        "CLICKBPF_SANITIZE": sanitize,
        "CLICKBPF_EACH": os.environ.get("CLICKBPF_EACH", "5"),  # of the library's classes
        "LD_PRELOAD": str(sanitizer_library(sanitize)),
        # Python itself leaves much allocated at its end.
        "ASAN_OPTIONS": "detect_leaks=0",
    }
    # -s: what the sanitizer reports would end with the process that captures it.
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", *map(str, tests)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=900 + STRESS,
    )


@pytest.mark.whole
@pytest.mark.timeout(900)
def test_bad_packets():
    result = sanitized(HERE.parent / "elements" / "bad_input.py")
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-8000:]


@pytest.mark.whole
@pytest.mark.timeout(900)
def test_memory():
    tests = (HERE / f"test_{name}.py" for name in ("packets", "driver", "handover", "threads"))
    result = sanitized(*tests, sanitize="address,undefined")
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-8000:]


@pytest.mark.whole
@pytest.mark.parametrize("tests", [HERE, HERE.parent / "elements" / "ipsec"], ids=["runtime", "ipsec"])
def test_races(tests):
    result = sanitized(tests / "test_threads.py", sanitize="thread")
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-8000:]


@pytest.mark.whole
@pytest.mark.timeout(900 + STRESS)
def test_shared_state():
    result = sanitized(HERE / "shared_state.py", sanitize="thread")
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-8000:]


@pytest.mark.whole
@pytest.mark.needs("root", "ip")
def test_live_swaps():
    """What was of the old runtime when a thread went to sleep may be the new one's when it wakes."""
    result = sanitized(HERE / "live_swaps.py", sanitize="thread")
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-8000:]


@pytest.mark.whole
def test_the_thread_sanitizer_sees_a_race():
    """A class that wrongly says that it is thread_safe, behind two threads."""
    result = sanitized(HERE / "race.py", sanitize="thread")
    assert "data race" in result.stderr


@pytest.mark.whole
def test_the_sanitizer_sees_the_end_of_a_packet():
    result = sanitized(HERE / "beyond_the_end.py")
    assert "use-after-poison" in result.stderr
