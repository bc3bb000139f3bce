from clickbpf.declare import (
    BEARS_OFFLOADS, CHOOSES, MAY_BEAR_OFFLOADS, THREAD_SAFE, AlignmentRule, ArgError, Patterns, Raw, Rest, expect_one_per_port,
    read_handler,
)
from clickbpf.classify import Test
from clickbpf.classify.segments import Common, alike

from ._pattern import parse_pattern
from ._rules import RuleElement

#: Bytes that all segments of a GSO packet share, if the packet may begin with an Ethernet header, tagged or not, or with IP; and
#: with IP only.
COMMON = {"data": (0, 1, *range(6, 10), *range(12, 16))}
COMMON_IP = {"data": (0, 1, *range(6, 10), *range(12, 24))}
#: Ethertypes that may carry TCP: IP, IPv6, tags.
MAY_BE_TCP = (0x0800, 0x86DD, 0x8100, 0x88A8)


def _without_ip(test: Test, common: Common) -> Common:
    """After a test for another ethertype: a GSO packet gets here only if it begins with IP."""
    if test.offset == 12 and test.mask >> 16 == 0xFFFF and test.value >> 16 not in MAY_BE_TCP:
        return COMMON_IP
    return common


class Classifier(Patterns, RuleElement, traits=MAY_BEAR_OFFLOADS | CHOOSES | THREAD_SAFE):
    """sorts packets by their contents

    Synopsis: `Classifier(PATTERN, ...)`

    There is an output for each pattern. A packet leaves by the output of the first pattern that matches; if none matches, it is
    dropped. A pattern consists of clauses separated by spaces, and matches if all of them do.

    A clause is `OFFSET/VALUE` or `OFFSET/VALUE%MASK`: OFFSET, in decimal, counts bytes from the start of the packet, VALUE
    and MASK are pairs of hexadecimal digits. It matches if the bytes there equal VALUE in the bits that are 1 in MASK. A `?` stands
    for any digit. Bytes beyond the packet's end don't match. `!` before a clause negates it. The pattern `-`, or an empty one,
    matches all packets.

    The patterns are compiled into a decision tree without redundant tests. A warning names outputs that no packet can take, because
    earlier patterns match all such packets or because the pattern contradicts itself. More than 128 patterns become data instead,
    like IPFilter's rules, with fewer such warnings.

    Ports: one push input, as many push outputs as there are patterns.

    Example: ARP requests, ARP replies, IP, and other packets:

        c :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
        FromDevice(eth0) -> c;
        c[0] -> ARPResponder(10.0.0.1 02:00:00:00:00:01) -> Queue -> ToDevice(eth0);
        c[1], c[2], c[3] => Discard, Discard, Discard;
    """

    alignment = AlignmentRule(minds=True, informed=True)
    args = (Rest("PATTERN", Raw()),)

    @staticmethod
    def pattern_of_both(one: str, other: str) -> str:
        return f"{one} {other}"

    def configure(self) -> None:
        given = self.cfg.pattern
        expect_one_per_port(self, "output", given)
        errors: list[ArgError] = []
        rules = [(parse_pattern(text, number, errors), number) for number, text in enumerate(self.cfg.pattern)]
        if errors:
            raise ExceptionGroup("patterns", errors)
        self.compile(rules)
        if alike(self.program.graph, COMMON, _without_ip):
            self.traits |= BEARS_OFFLOADS

    def code(self) -> str:
        return self.function({"data": "pkt_data(p, 0, {length})"})

    def warnings(self) -> list[ArgError]:
        used = self.program.outputs()
        return [
            ArgError(f"output {number} matches no packets", argument="PATTERN", index=number)
            for number in range(self.noutputs)
            if number not in used
        ]

    @read_handler("program")
    def read_program(self) -> str:
        """the decision tree. Each line has a step's number, the offset, value and mask of four bytes to compare, and the next step,
        or output in brackets, for both results; `[X]` is a dropped packet, `short->yes` means that a packet too short for the test
        continues as if it had succeeded. The last line is the length of packet that suffices for every test.
        """
        return self.program.listing()
