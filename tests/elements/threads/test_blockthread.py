"""BlockThread: a handler that takes its time."""

import time

import pytest

from clickbpf.runtime.handlers import HandlerError


def test_it_blocks_for_so_long(threaded):
    router = threaded("b :: BlockThread;")
    begin = time.monotonic()
    router.handlers.write("b", "block", "0.05s")
    assert time.monotonic() - begin >= 0.05
    with pytest.raises(HandlerError, match="bad TIME"):
        router.handlers.write("b", "block", "soon")
    assert router.handlers.find("b", "block").private
