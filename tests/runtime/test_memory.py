"""The runtime's own tests once more under the address sanitizer: no packet is used after it is freed, none is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from clickbpf.build.host import sanitizer_library

HERE = Path(__file__).parent


@pytest.mark.skipif("CLICKBPF_SANITIZE" in os.environ, reason="these tests under the sanitizer are running")
def test_under_address_sanitizer():
    environment = {
        **os.environ,
        "CLICKBPF_SANITIZE": "address",
        "LD_PRELOAD": str(sanitizer_library("address")),
        # Python itself leaves much allocated at its end.
        "ASAN_OPTIONS": "detect_leaks=0",
    }
    tests = [str(HERE / name) for name in ("test_packets.py", "test_driver.py", "test_handover.py")]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-8000:]
