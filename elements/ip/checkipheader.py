"""CheckIPHeader: is this an IP packet worth routing?"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv4Address

from clickbpf.args import Bool, Integer, IPAddress, IPPrefixNonContiguous, Keyword, ListOf, Optional
from clickbpf.element import Element, read_handler
from clickbpf.state import PerThread, u64

from ._code import membership, own_name

#: What can be wrong, in the order of the checks and of the counters in C; Click's words for it.
REASONS = ("tiny packet", "bad IP version", "bad IP header length", "bad IP length", "bad IP checksum", "bad source address")

#: Sources that no packet has, besides the broadcast addresses of INTERFACES (RFC 1812, 5.3.7).
NEVER_SOURCES = (IPv4Address("0.0.0.0"), IPv4Address("255.255.255.255"))


class CheckIPHeader(Element):
    """checks IP headers, marks them for other elements, cuts off padding

    Synopsis: `CheckIPHeader([OFFSET, INTERFACES ..., BADSRC ..., GOODDST ..., CHECKSUM ..., VERBOSE ..., DETAILS ...])`

    A packet is good if an IPv4 header of at least 20 bytes begins OFFSET bytes into it, its total length is neither shorter
    than the header nor longer than the packet, its checksum is right, and its source may be one. A good packet leaves by
    output 0 with its network header, transport header and destination address annotations set, and without what follows
    the total length (as Ethernet pads short packets). The others leave unchanged by output 1, or are dropped if that is not
    there.

    Arguments:

      - OFFSET: bytes in front of the IP header. Default 0.
      - INTERFACES: this router's addresses, each with its prefix (`18.26.4.9/24`). Their subnets' broadcast addresses,
        0.0.0.0 and 255.255.255.255 are no sources, unless the packet is for one of the addresses themselves.
      - BADSRC: addresses that are no sources. It has no effect beside INTERFACES.
      - GOODDST: addresses for which a packet may have any source. It has no effect beside INTERFACES.
      - CHECKSUM: whether to check the header's checksum. Default true.
      - VERBOSE: whether to print a message for every bad packet, and not only for the first. Default false.
      - DETAILS: whether `drop_details` tells the reasons apart. Default false.

    Bad packets that the kernel path finds are counted, but not printed; with VERBOSE it hands them over, and all are.

    Ports: one input; output 0 for good packets, push output 1 (may be missing) for bad ones.

    Handlers:

      - `drops` (read): how many packets were bad.
      - `drop_details` (read): for each reason a line with a number, a tab and the reason; empty unless DETAILS is true.

    Example:

        FromDevice(eth0) -> Strip(14)
            -> CheckIPHeader(INTERFACES 10.0.0.1/24 10.0.1.1/24)
            -> Discard;
    """

    ports = "1/1-2"
    processing = "a/ah"
    args = (
        Optional("OFFSET", Integer(), 0),
        Keyword("INTERFACES", ListOf(IPPrefixNonContiguous()), ()),
        Keyword("BADSRC", ListOf(IPAddress()), ()),
        Keyword("GOODDST", ListOf(IPAddress()), ()),
        Keyword("CHECKSUM", Bool(), True),
        Keyword("VERBOSE", Bool(), False),
        Keyword("DETAILS", Bool(), False),
    )
    annotations = ("DST_IP",)
    state_types = {"counters": PerThread(bad=u64 * len(REASONS))}
    weight = 160

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"noutputs": ("int", str(self.noutputs))}

    def code(self) -> str:
        bad, good = self.cfg.badsrc, self.cfg.gooddst
        if self.cfg.interfaces:
            bad = (*(interface.broadcast for interface in self.cfg.interfaces), *NEVER_SOURCES)
            good = tuple(interface.address for interface in self.cfg.interfaces)
        reasons = ", ".join(f'"{reason}"' for reason in REASONS)
        return (
            own_name(self)
            + f"static const char *const SELF(reasons)[] __attribute__((unused)) = {{ {reasons} }};\n"
            + membership("bad_source", bad)
            + membership("good_destination", good)
        )

    @read_handler
    def drops(self) -> str:
        return str(sum(self._bad()))

    @read_handler
    def drop_details(self) -> str:
        if not self.cfg.details:
            return ""
        return "".join(f"{count}\t{reason}\n" for count, reason in zip(self._bad(), REASONS))

    def _bad(self) -> list[int]:
        """Bad packets by reason, over all CPUs and threads."""
        return [sum(counts) for counts in zip(*(value.bad for value in self.state.counters))]

