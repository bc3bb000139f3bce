"""CounterFile: two numbers in a file."""

import os
import stat
import struct

import pytest
from tests.runtime.routers import LIBRARY, SECOND, Routers, frame

from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError
from clickbpf.runtime.host import Runtime

native = pytest.mark.executors("native")


def numbers(path) -> tuple[int, ...]:
    data = path.read_bytes()
    assert len(data) == 16
    return struct.unpack("=2Q", data)


@native
def test_the_file_follows(router, tmp_path):
    path = tmp_path / "counts"
    r = router(f"FromDevice(a) -> x :: CounterFile({path}) -> Queue -> ToDevice(b);", simtime=True)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    r.send("a", [bytes(60), bytes(100)])
    assert (r.read("x.count"), r.read("x.byte_count")) == ("2", "160")
    assert numbers(path) == (0, 0)
    r.advance(0.01)
    assert numbers(path) == (2, 160)
    r.send("a", bytes(40))
    r.advance(0.01)
    assert numbers(path) == (3, 200)
    r.write("x.reset")
    assert (r.read("x.count"), r.read("x.byte_count")) == ("0", "0")
    r.advance(0.01)
    assert numbers(path) == (0, 0)


@native
def test_it_counts_on_from_what_is_there(router, tmp_path):
    path = tmp_path / "counts"
    path.write_bytes(struct.pack("=2Q", 7, 1000) + b"more")
    r = router(f"FromDevice(a) -> x :: CounterFile({path}) -> Queue -> ToDevice(b);", simtime=True)
    r.send("a", bytes(60))
    assert (r.read("x.count"), r.read("x.byte_count")) == ("8", "1060")
    r.close()
    assert numbers(path) == (8, 1060)


@native
def test_a_file_that_can_t_be(router, tmp_path):
    with pytest.raises(ClickError, match="No such file or directory"):
        router(f"Idle -> CounterFile({tmp_path}/none/counts) -> Discard;")


def test_counted_in_the_kernel_as_well(router, tmp_path):
    r = router(f"FromDevice(a) -> x :: CounterFile({tmp_path}/counts) -> Queue -> ToDevice(b);")
    r.send("a", [bytes(60), bytes(100)])
    assert (r.read("x.count"), r.read("x.byte_count")) == ("2", "160")


def routers_file(path) -> str:
    return f"FromDevice(eth0) -> x :: CounterFile({path}) -> Discard;"


def test_a_swap_goes_on_from_the_last_packet(tmp_path):
    """The file is behind by then, and the old router, which ends later, writes no more."""
    router = Routers(routers_file(tmp_path / "counts"))
    router.now.inject("eth0", frame(1))
    router.replace(routers_file(tmp_path / "counts"))
    router.now.inject("eth0", frame(2))
    assert router.read("x.count") == "2"
    router.now.close()
    assert numbers(tmp_path / "counts") == (2, 2 * len(frame(1)))


def test_a_new_runtime_counts_no_packet_twice(tmp_path):
    """The counts of one that died are in the kernel's memory, and in the file."""
    router = Routers(routers_file(tmp_path / "counts"))
    router.now.inject("eth0", frame(1))
    router.now.advance(SECOND)
    made = Compilation(check_text(routers_file(tmp_path / "counts"), LIBRARY))
    with Runtime(made, clock=router.now.clock, memories=router.now.views) as again:
        assert again.handlers.read("x", "count") == "1"
    router.now.close()
