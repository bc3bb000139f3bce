"""Objects opened, adjusted and loaded, and what can be done with their programs and maps."""

import errno
import os
import signal
import struct
import threading
from pathlib import Path

import pytest
from tests.load.conftest import MANIFEST, build

from clickbpf.errors import ClickError
from clickbpf.load.kernel.fds import Map, XdpMd
from clickbpf.load.kernel.libbpf import BpfError, lib
from clickbpf.load.kernel.objects import Object

pytestmark = pytest.mark.needs("root", "clang-19")

#: XDP return codes of <linux/bpf.h>.
XDP_PASS = 2

TEXT = """
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

const volatile __u32 step = 1;
const volatile __u8 table[4] = { 1, 2, 3, 4 };

struct value { __u64 runs; __u8 first; } __attribute__((aligned(64)));

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct value);
} values SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u16);
} small SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} percpu SEC(".maps");

SEC("xdp") int shorten(struct xdp_md *ctx)
{
	__u32 zero = 0;
	struct value *v = bpf_map_lookup_elem(&values, &zero);
	__u8 *data = (void *)(long)ctx->data;

	if (v && data + 1 <= (__u8 *)(long)ctx->data_end) {
		v->runs += step;
		v->first = *data + table[2];
	}
	bpf_xdp_adjust_head(ctx, 2);
	return XDP_PASS;
}

SEC("xdp") int other(struct xdp_md *ctx) { return bpf_map_lookup_elem(&small, &(__u32){1}) || bpf_map_lookup_elem(&percpu, &(__u32){0}); }
char _license[] SEC("license") = "GPL";
"""

FRAME = bytes(range(64))


@pytest.fixture(scope="module")
def content() -> bytes:
    return build(TEXT, MANIFEST)


@pytest.fixture
def opened(content):
    with Object(content, "test") as made:
        yield made


def key(number: int) -> bytes:
    return struct.pack("=I", number)


def test_what_is_in_it(opened):
    assert opened.programs == ("shorten", "other")
    assert {"values", "small", "percpu"} <= set(opened.maps)
    assert opened.section("shorten") == "xdp"
    assert opened.variables() == {"step": (0, 4), "table": (4, 4)}


def test_a_run_gives_back_packet_context_and_verdict(opened):
    opened.load()
    with opened.program("shorten") as program:
        done = program.test_run(FRAME, bytes(XdpMd(data_end=len(FRAME))))
    assert (done.retval, done.data) == (XDP_PASS, FRAME[2:])
    assert XdpMd.from_buffer_copy(done.ctx).data_end == len(FRAME) - 2


def test_variables_have_their_values_before_the_load(opened):
    opened.set_variable("step", 5)
    opened.set_variable("table", b"\x0a\x0b\x40")
    opened.load()
    with opened.program("shorten") as program, opened.map("values") as values:
        program.test_run(FRAME, repeat=3)
        runs, first = struct.unpack_from("=QB", values.lookup(0))
    # the third run sees what two runs have cut off four bytes of
    assert (runs, first) == (15, 4 + 0x40)


def test_unknown_and_oversized_variables(opened):
    with pytest.raises(KeyError):
        opened.set_variable("nosuch", b"")
    with pytest.raises(ValueError, match="step has 4 bytes, not 8"):
        opened.set_variable("step", bytes(8))


def test_mapped_memory_is_the_maps(opened):
    opened.set_max_entries("values", 100)
    opened.load()
    with opened.program("shorten") as program, opened.map("values") as values:
        memory = values.memory()
        program.test_run(FRAME)
        assert struct.unpack_from("=Q", memory)[0] == 1
        memory[99 * 64] = 7
        assert values.lookup(99)[0] == 7
        assert len(list(values)) == 100


def test_hash_map(opened):
    opened.load()
    with opened.map("small") as small:
        assert small.lookup(1) is None
        small.update(1, b"\1\2")
        small.update(9, b"\3\4")
        assert small.lookup(1) == b"\1\2"
        assert set(small) == {key(1), key(9)}
        with pytest.raises(BpfError, match="E2BIG") as full:
            small.update(3, b"\0\0")
        assert full.value.errno == errno.E2BIG
        small.delete(1)
        assert list(small) == [key(9)]


def test_per_cpu_map_gives_a_value_for_each_cpu(opened):
    opened.load()
    last = Path("/sys/devices/system/cpu/possible").read_text().strip().split("-")[-1]
    with opened.map("percpu") as percpu:
        assert len(percpu.lookup(0)) == 8 * (int(last) + 1)


def test_reused_map_keeps_its_values(content):
    with Object(content) as one, Object(content) as other:
        one.load()
        with one.map("values") as values:
            values.update(0, struct.pack("=Q", 41).ljust(64, b"\0"))
            other.reuse("values", values)
            other.load()
            with other.program("shorten") as program:
                program.test_run(FRAME)
            assert struct.unpack_from("=Q", values.lookup(0))[0] == 42


def test_programs_left_out_are_not_loaded(opened):
    opened.set_autoload("other", False)
    opened.load()
    opened.program("shorten").close()
    with pytest.raises(BpfError):
        opened.program("other")


def test_no_object_at_all():
    with pytest.raises(ClickError, match="opening the object"):
        Object(b"not an ELF file")


def test_pinned_thing_that_is_not_there(tmp_path):
    with pytest.raises(BpfError, match="No such file"):
        Map.pinned(tmp_path / "nothing")


@pytest.mark.parametrize("threads", [0, 1])
def test_an_interrupt_waits_until_libbpf_is_done(monkeypatch, threads):
    """It would be lost in the callback that takes messages. The kernel gives it to another thread if there is one."""
    load, done, over = lib.bpf_object__load, [], threading.Event()

    def interrupted(handle) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        done.append(load(handle))
        return done[-1]

    monkeypatch.setattr(lib, "bpf_object__load", interrupted)
    others = [threading.Thread(target=over.wait) for _ in range(threads)]
    for each in others:
        each.start()
    before, mask = signal.signal(signal.SIGINT, signal.default_int_handler), signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        with Object(build(TEXT, MANIFEST), "interrupted") as opened, pytest.raises(KeyboardInterrupt):
            opened.load()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        over.set()
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
    assert done == [0]
