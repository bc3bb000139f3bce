from clickbpf.declare import (
    BEARS_OFFLOADS, CHOOSES, MAY_BEAR_OFFLOADS, THREAD_SAFE, AlignmentRule, ArgError, Patterns, Raw, Rest, expect_one_per_port,
    read_handler,
)
from clickbpf.classify import Test
from clickbpf.classify.segments import Common, alike

from ._pattern import parse_pattern
from ._rules import RuleElement

#: What TCP segments have in common, whether the packet begins with Ethernet, tagged or not, or with IP; and with IP only.
COMMON = {"data": (0, 1, *range(6, 10), *range(12, 16))}
COMMON_IP = {"data": (0, 1, *range(6, 10), *range(12, 24))}
#: Types of Ethernet frames that TCP may be in: IP, IPv6, tagged ones.
MAY_BE_TCP = (0x0800, 0x86DD, 0x8100, 0x88A8)


def _without_ip(test: Test, common: Common) -> Common:
    """After a test for another type of Ethernet frame: joined segments come here only if they begin with IP."""
    if test.offset == 12 and test.mask >> 16 == 0xFFFF and test.value >> 16 not in MAY_BE_TCP:
        return COMMON_IP
    return common


class Classifier(Patterns, RuleElement, traits=MAY_BEAR_OFFLOADS | CHOOSES | THREAD_SAFE):
    """sorts packets by their contents

    Synopsis: `Classifier(PATTERN, ...)`

    Has an output for each pattern and sends a packet to that of the first one that matches; a packet that none matches is
    dropped. A pattern consists of clauses with spaces between them, and matches if they all do.

    A clause is `OFFSET/VALUE` or `OFFSET/VALUE%MASK`: OFFSET, in decimal, counts bytes from the start of the packet, VALUE
    and MASK are pairs of hexadecimal digits. It matches if the bytes there are VALUE in the bits that are 1 in MASK. A `?`
    for a digit means any value. Bytes beyond the packet's end equal nothing. `!` before a clause negates it. The
    pattern `-` matches all packets, as an empty one does.

    The patterns are compiled into a decision tree without redundant tests. A warning names outputs that no packet can
    take, because earlier patterns match all of its packets or because the pattern contradicts itself. More than 128 patterns
    are data instead, like IPFilter's rules, and there are fewer such warnings.

    Ports: one push input, as many push outputs as there are patterns.

    Example: ARP requests, ARP replies, IP, the rest:

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
        """the decision tree. Each line has a step's number, the offset, value and mask of four bytes to compare, and the next step, or
        output in brackets, for both results; `[X]` is a dropped packet, `short->yes` means that a packet too short for the test goes on
        as if it had succeeded. After them comes the length of packet from which on every test can be made.
        """
        return self.program.listing()
