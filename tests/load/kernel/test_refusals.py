"""Refusals by the kernel, reported so that a user finds the place and the cause."""

import subprocess
from dataclasses import replace

import pytest
from tests.load.conftest import build

from clickbpf.errors import ClickError, Place, TooComplex
from clickbpf.load.files import places
from clickbpf.load.kernel.symbols import functions_at
from clickbpf.load.life.loader import load
from clickbpf.load.path.kernelpath import load_kernel
from clickbpf.objects.manifest import ElementEntry, Manifest, MapEntry, ProgramEntry, StateEntry

pytestmark = pytest.mark.needs("root", "clang-19")

HEAD = """
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#define inlined static inline __attribute__((always_inline))
char _license[] SEC("license") = "GPL";
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, 1); __type(key, __u32); __type(value, __u64); } numbers SEC(".maps");
"""

ROUTER = Manifest(
    hash=1,
    configuration="",
    version="1",
    programs=(ProgramEntry("entry", "xdp"),),
    elements=(ElementEntry(0, "good", "Counter", place="r.click:1:1"), ElementEntry(1, "in/bad", "Strip", place="r.click:7:12")),
)

#: An unchecked access, inlined twice over.
UNCHECKED = (
    HEAD
    + """
inlined int e_in__bad(struct xdp_md *ctx) { return *(volatile char *)((void *)(long)ctx->data + 100) ? XDP_PASS : XDP_DROP; }
inlined int e_good(struct xdp_md *ctx) { return ctx->rx_queue_index == 3 ? XDP_PASS : e_in__bad(ctx); }
SEC("xdp") int entry(struct xdp_md *ctx) { return e_good(ctx); }
"""
)


def refused(text: str, manifest: Manifest = ROUTER) -> ClickError:
    with pytest.raises(ClickError) as caught:
        load_kernel(build(text, manifest), manifest)
    return caught.value


def test_names_the_element_its_place_and_the_rule():
    (told,) = refused(UNCHECKED).diagnostics
    assert told.place == Place("r.click", 7, 12)
    assert told.message.startswith("the kernel refused 'in/bad' (Strip), in the program entry: it reads packet bytes")
    assert "invalid access to packet, off=100 size=1" in told.message


@pytest.mark.parametrize(
    "body, meaning",
    [
        ("__u32 k = 0; return *(__u64 *)bpf_map_lookup_elem(&numbers, &k);", "a lookup that may have found nothing"),
        ("for (volatile int i = 0; ; i++) ; return 0;", "a loop whose end the kernel can't see"),
        ("return *(__u32 *)((void *)ctx + 100);", "reads its context in a way"),
    ],
)
def test_common_refusals_are_explained(body, meaning):
    assert meaning in str(refused(HEAD + f'SEC("xdp") int entry(struct xdp_md *ctx) {{ {body} }}'))


#: A loop that is never the same to the verifier twice, and ends too late.
ENDLESS = """
SEC("xdp") int entry(struct xdp_md *ctx)
{
	__u64 sum = 0;
	for (int i = 0; i < 3000000; i++) {
		sum += bpf_get_prandom_u32() & 1;
		asm volatile("" : "+r"(sum));
	}
	return sum & 1;
}
"""


@pytest.mark.whole
def test_too_many_paths():
    error = refused(HEAD + ENDLESS)
    assert isinstance(error, TooComplex), "load tries again with shorter programs"
    assert "more paths than the kernel is willing to check" in str(error)
    assert "--chain" in error.diagnostics[0].hint


#: A program that uses as many maps, the first of which it uses twice.
MAPS = """
#define ONE __uint(type, BPF_MAP_TYPE_ARRAY); __uint(max_entries, 1); __type(key, __u32); __type(value, __u64);
#define MAP(n) struct {{ ONE }} m##n SEC(".maps")
{maps}
SEC("xdp") int entry(struct xdp_md *ctx)
{{
	__u32 k = 0;
	{uses}
	return bpf_map_lookup_elem(&m0, &k) ? XDP_PASS : XDP_DROP;
}}
"""


def using(maps: int) -> str:
    use = 'if (!bpf_map_lookup_elem(&m{0}, &k)) return 0; asm volatile("" :: "i"({0}));'
    declared, used = (" ".join(map(text.format, range(maps))) for text in ("MAP({0});", use))
    return HEAD + MAPS.format(maps=declared, uses=used)


def test_too_many_maps():
    """The kernel's limit is 64 (MAX_USED_MAPS), whatever it says."""
    tables = tuple(StateEntry("good" if number < 64 else "in/bad", "table", f"m{number}", 0, 8) for number in range(66))
    load_kernel(build(using(64), ROUTER), ROUTER).close()
    error = refused(using(66), replace(ROUTER, states=tables))
    assert isinstance(error, TooComplex), "load tries again with shorter programs"
    (told,) = error.diagnostics
    assert told.place == Place("r.click", 7, 12)
    assert "entry uses 66 maps" in told.message and "'in/bad' (Strip)" in told.message and "64" in told.message
    assert "--chain" in told.hint


def test_table_too_large_for_the_kernels_memory():
    manifest = Manifest(1, "", "1", programs=ROUTER.programs, maps=(MapEntry("numbers", "state", (1 << 32) - 1, stride=8),))
    text = HEAD.replace("BPF_MAP_TYPE_HASH", "BPF_MAP_TYPE_ARRAY") + (
        'SEC("xdp") int entry(struct xdp_md *ctx) { __u32 k = 0; return !bpf_map_lookup_elem(&numbers, &k); }'
    )
    error = refused(text, manifest)
    assert "can't be loaded into the kernel" in str(error)
    assert "tables smaller" in error.diagnostics[0].hint


def test_full_disk(own, router, request_for, unchanged, monkeypatch, tmp_path):
    """The folder in /run is on a file system with less room than the object takes."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "none", str(tmp_path)], check=True)
    monkeypatch.setattr(places, "RUN", tmp_path / "run")
    try:
        with unchanged(), pytest.raises(ClickError, match="no space is left"):
            router.call(load, request_for())
        assert not list(tmp_path.iterdir())
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_functions_of_an_instruction():
    content = build(UNCHECKED, ROUTER)
    chains = {functions_at(content, "entry", i) for i in range(8)}
    assert ("e_in__bad", "e_good", "entry") in chains
    assert functions_at(content, "nosuch", 0) == ()
    assert functions_at(content, "entry", 10_000) == ()
