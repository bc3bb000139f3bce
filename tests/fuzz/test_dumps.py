"""A moment of the fuzzer of dumps, each time with the same files, and all that were ever read badly."""

import pytest
from tests.fuzz.dumps import spawn


@pytest.mark.whole
def test_files_are_read_to_their_end_or_refused(tmp_path):
    done = spawn(1, 40, tmp_path, 300)
    assert done.returncode == 0 and "40 files read" in done.stdout, done.stdout[-1000:] + done.stderr[-6000:]
