"""CheckARPHeader: is this an ARP packet?"""

from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import Bool, Integer, Keyword, Optional
from clickbpf.objects.ctext import c_string
from clickbpf.vocabulary.element import Element, read_handler
from clickbpf.vocabulary.state import PerThread, u64

from ..ip._code import own_name

#: What can be wrong, in the order of the checks and of the counters in C; Click's words for it.
REASONS = ("tiny packet", "too small for addresses", "bad hardware type/length", "bad protocol type/length")


class CheckARPHeader(Element):
    """checks ARP headers and marks them for other elements

    Synopsis: `CheckARPHeader([OFFSET, VERBOSE ..., DETAILS ...])`

    A packet is good if an ARP header begins OFFSET bytes into it, the packet has room for the addresses whose lengths are
    in the header, and these lengths are right: 6 bytes for Ethernet, 4 for IP, 16 for IPv6; other kinds of address may have
    any. A good packet leaves by output 0, its network header annotation at the ARP header. The others leave by output 1,
    or are dropped if that is not there.

    Arguments:

      - OFFSET: bytes in front of the ARP header. Default 0.
      - VERBOSE: whether to print a message for every bad packet, and not only for the first. Default false.
      - DETAILS: whether `drop_details` counts each reason by itself. Default false.

    Bad packets that the kernel path finds are counted, but not printed; with VERBOSE it hands them over, and all are.

    Ports: one input; output 0 for good packets, push output 1 (may be missing) for bad ones.

    Handlers:

      - `drops` (read): how many packets were bad.
      - `drop_details` (read): for each reason a line with a number, a tab and the reason; empty unless DETAILS is true.

    Example:

        FromDevice(eth0) -> c :: Classifier(12/0806, -);
        c[0] -> CheckARPHeader(14) -> Queue -> ToDevice(eth1);
        c[1] -> Discard;
    """

    ports = "1/1-2"
    processing = "a/ah"
    args = (Optional("OFFSET", Integer(), 0), Keyword("VERBOSE", Bool(), False), Keyword("DETAILS", Bool(), False))
    state_types = {"counters": PerThread(bad=u64 * len(REASONS))}
    weight = 60

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"noutputs": ("int", str(self.noutputs))}

    def code(self) -> str:
        reasons = ", ".join(map(c_string, REASONS))
        return own_name(self) + f"static const char *const SELF(reasons)[] __attribute__((unused)) = {{ {reasons} }};\n"

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
