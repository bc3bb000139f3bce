"""Small objects written by hand, devices to attach them to, and a look at what is left behind."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.waiting import eventually

from clickbpf.build.bpf import build_bpf
from clickbpf.load import bpffs, places
from clickbpf.load.devices import resolve
from clickbpf.load.loader import Request
from clickbpf.manifest import ElementEntry, Manifest, MapEntry, ProgramEntry, StateEntry
from clickbpf.testing.netns import Namespace, Network

#: Names that no other process uses: programs and maps of the kernel are seen by all.
OWN = f"lt{os.getpid()}"

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


def bpftool(*words: str) -> list[dict]:
    """What bpftool lists. It gives up when a link of some other process goes away between its id and a look at it."""

    def listed() -> subprocess.CompletedProcess:
        return subprocess.run(["bpftool", "-j", *words], capture_output=True, text=True)

    found = eventually(lambda: done if not (done := listed()).returncode else None, patience=10) or listed()
    found.check_returncode()
    return json.loads(found.stdout)


@pytest.fixture
def unchanged(net: Network) -> Callable[[], AbstractContextManager[None]]:
    """`with unchanged():` all that a router of this test may leave behind is the same at the end as at the start.

    The kernel takes a moment to free programs and maps that nobody uses any more.
    """

    @contextmanager
    def comparing() -> Iterator[None]:
        before = _traces(net.namespaces)
        yield
        end = time.monotonic() + 5
        while (after := _traces(net.namespaces)) != before and time.monotonic() < end:
            time.sleep(0.02)
        assert after == before

    return comparing


def _traces(namespaces: list[Namespace]) -> dict:
    programs = {p["id"] for p in bpftool("prog") if p.get("name", "").startswith(OWN)}
    return {
        "programs": programs,
        "maps": [m["id"] for m in bpftool("map") if m.get("name", "").startswith(OWN)],
        "links": [link["id"] for link in bpftool("link") if link.get("prog_id") in programs],
        "pins": [p for p in _children(bpffs.mounted(), places.FOLDER) if OWN in p.name],
        "folders": [p for p in _children(places.RUN) if OWN in p.name],
        "qdiscs": [n.run("tc", "qdisc", "show").stdout for n in namespaces],
        "xdp": [n.ip("-d", "link").count("prog/xdp") for n in namespaces],
        "offloads": [n.run("ethtool", "-k", d).stdout for n in namespaces for d in _devices(n)],
    }


def _children(folder: Path | None, *parts: str) -> list[Path]:
    path = folder.joinpath(*parts) if folder else None
    return sorted(path.iterdir()) if path and path.is_dir() else []


def _devices(namespace: Namespace) -> list[str]:
    return [link["ifname"] for link in json.loads(namespace.ip("-j", "link")) if link["ifname"] != "lo"]
