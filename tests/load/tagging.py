"""A sender that gives frames their VLAN tag in metadata, as Linux's VLAN devices do."""

from pathlib import Path

from clickbpf.build.bpf import build_program
from clickbpf.testing.netns import Namespace

#: The tag of the frames, as it stands in them.
TAG = b"\x81\x00\x00\x2a"
_TAGGER = """
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("tc") int tagger(struct __sk_buff *skb)
{
	if (skb->protocol == __builtin_bswap16(0x9000))
		bpf_skb_vlan_push(skb, __builtin_bswap16(0x8100), 42);
	return 0;
}
char _license[] SEC("license") = "GPL";
"""


def tag_what_is_sent(namespace: Namespace, device: str, folder: Path) -> None:
    """Frames of the type 0x9000 that leave by the device."""
    source = folder / "tagger.bpf.c"
    source.write_text(_TAGGER)
    namespace.run("tc", "qdisc", "add", "dev", device, "clsact")
    namespace.run("tc", "filter", "add", "dev", device, "egress", "bpf", "da", "obj", str(build_program(source)), "sec", "tc")
