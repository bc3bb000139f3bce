"""Small objects written by hand, devices to attach them to, and a look at what is left behind."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.load import traces
from tests.waiting import eventually

from clickbpf.build.bpf import build_bpf
from clickbpf.load.devices.devices import resolve
from clickbpf.load.life.loader import Request
from clickbpf.objects.manifest import ElementEntry, Manifest, MapEntry, ProgramEntry, StateEntry
from clickbpf.testing.netns import Namespace, Network

#: Names that no other process uses, and that no other process's begin with: programs and maps of the kernel are seen by all.
OWN = f"lt{os.getpid()}z"

#: Forwards everything from one device to the other, and counts it.
CABLE = f"""
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

const volatile __u32 slots = 1;
const volatile __u8 device_mac[2][8] = {{}};

struct counters {{ __u64 count; }} __attribute__((aligned(64)));

struct {{
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct counters);
}} {OWN}_c SEC(".maps");

struct {{
	__uint(type, BPF_MAP_TYPE_DEVMAP);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u32);
}} {OWN}_tx SEC(".maps");

static int forward(__u32 to)
{{
	__u32 cpu = bpf_get_smp_processor_id();
	struct counters *c = bpf_map_lookup_elem(&{OWN}_c, &cpu);

	if (c)
		c->count++;
	return bpf_redirect_map(&{OWN}_tx, to, XDP_DROP);
}}

SEC("xdp") int {OWN}_a(struct xdp_md *ctx) {{ return forward(1); }}
SEC("xdp") int {OWN}_b(struct xdp_md *ctx) {{ return forward(0); }}
char _license[] SEC("license") = "GPL";
"""

MANIFEST = Manifest(
    hash=1,
    configuration="a -> b",
    version="1",
    devices=("eth0", "eth1.7"),
    programs=(ProgramEntry(f"{OWN}_a", "xdp", "eth0", None, "a"), ProgramEntry(f"{OWN}_b", "xdp", "eth1.7", None, "b")),
    maps=(
        MapEntry(f"{OWN}_c", "state", per_slot=True, stride=64),
        MapEntry(f"{OWN}_tx", "tx", 2),
    ),
    states=(StateEntry("in/side", "counters", f"{OWN}_c", 0, 64),),
    elements=(ElementEntry(0, "in/side", "Counter", place="router.click:3:5"),),
)


def build(text: str, manifest: Manifest) -> bytes:
    return build_bpf(text, manifest).read_bytes()


@pytest.fixture
def own() -> str:
    return OWN


@pytest.fixture
def net() -> Iterator[Network]:
    with Network() as network:
        yield network


@pytest.fixture
def router(net: Network) -> Namespace:
    """A namespace with two devices, cabled to hosts 10.0.0.1 and 10.0.0.2; offloads as Linux sets them."""
    made = net.namespace("router")
    for number, device in enumerate(("eth0", "eth1.7"), 1):
        host = net.namespace(f"host{number}")
        net.veth(made, device, host, "eth0")
        host.address("eth0", f"10.0.0.{number}/24")
    return made


@pytest.fixture
def content() -> bytes:
    return build(CABLE, MANIFEST)


@pytest.fixture
def request_for(router: Namespace, content: bytes) -> Callable[..., Request]:
    """Makes requests to load the cable, with changes; the runtime is one that does nothing."""

    def make(**changes) -> Request:
        wanted = Request(
            name=f"test.{OWN}",
            content=content,
            manifest=MANIFEST,
            devices=router.call(resolve, MANIFEST.devices),
            start=lambda path, devices: lambda: None,
            say=lambda text: None,
        )
        return replace(wanted, **changes)

    return make


@pytest.fixture
def unchanged(net: Network) -> Callable[[], AbstractContextManager[None]]:
    """`with unchanged():` all that a router of this test may leave behind is the same at the end as at the start.

    The kernel takes a while to free what nobody uses any more: programs and maps of the tests before may be there at first, on
    devices of namespaces that it is still removing, and are left out.
    """
    earlier = traces.objects(OWN)

    def found() -> dict:
        objects = {kind: ids - earlier[kind] for kind, ids in traces.objects(OWN).items()}
        return {**objects, **traces.files(OWN), **traces.settings(net.namespaces)}

    @contextmanager
    def comparing() -> Iterator[None]:
        before = found()
        yield
        eventually(lambda: found() == before)
        assert found() == before

    return comparing


@pytest.fixture
def place(net):
    """A namespace with eth0 and eth1, whose other ends are two more devices, `in0` and `in1`."""
    router, outside = net.namespace("router"), net.namespace("outside")
    for number in (0, 1):
        net.veth(router, f"eth{number}", outside, f"in{number}")
    return router, outside


@pytest.fixture
def hosts(net):
    """A router with eth0 and eth1, and a source and a sink of packets at their other ends."""
    router, source, sink = (net.namespace(label) for label in ("router", "source", "sink"))
    for number, host in enumerate((source, sink)):
        net.veth(router, f"eth{number}", host, "eth0")
    return router, source, sink


@pytest.fixture
def pins() -> Iterator[Path]:
    """A folder for the pins of others' loaders, which make it."""
    folder = Path("/sys/fs/bpf", f"{OWN}-foreign")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
