"""The base of IPFilter and IPClassifier: patterns compiled into a program."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from clickbpf.declare import BEARS_OFFLOADS, CHOOSES, MARKED, MAY_BEAR_OFFLOADS, THREAD_SAFE, ArgError, Context, Form, read_handler, unquote
from clickbpf.classify import Expression, Program, Test
from clickbpf.classify.graph import all_tests, in_order
from clickbpf.classify.segments import alike

from ._ipfamilies import says_ip6
from ._ippattern import Pattern
from ._ipwords import Words
from ._rules import Rule, RuleElement

#: The first offset of each region in the program's listing.
BASES = {
    "ether": 0,
    "ip": 256,
    "transp": 512,
    "ip4": 256,
    "transp4": 512,
    "ip6": 1024,
    "frag6": 1280,
    "last6": 1536,
    "upper6": 2048,
}

#: The offsets of the addresses in an IPv6 header.
ADDRESSES6 = (8, 24)

#: Regions of packets that are taken for IPv4.
FOUR = ("ether", "ip", "transp")

REGIONS = {region: f"{region}_region(p, {{length}})" for region in BASES}


#: Bytes that all segments of a GSO packet share: Ethernet header, IP header except length, identification and checksum, ports.
_HEADER = (0, 1, *range(6, 10), *range(12, 20))
COMMON = {
    "ether": range(14),
    "ip": _HEADER,
    "transp": range(4),
    "ip4": _HEADER,
    "transp4": range(4),
    "ip6": (*range(4), *range(6, 40)),
    "last6": (0,),
    "upper6": range(4),
}

def unused_outputs(program: Program, noutputs: int) -> list[ArgError]:
    """A warning for each output, one for each pattern, that no packet takes."""
    unused = sorted(set(range(noutputs)) - program.outputs())
    hint = "patterns before it take them all, or nothing is all that it says: 'port 80 443' is both, 'port 80 or 443' is either"
    return [ArgError(f"output {number} matches no packets", hint, argument="PATTERN", index=number) for number in unused]


class IPRules(RuleElement, traits=MAY_BEAR_OFFLOADS | CHOOSES | THREAD_SAFE):
    """A RuleElement whose rules are patterns of IP packets."""

    def compile(self, rules: Sequence[Rule], before: Program | None = None) -> None:
        super().compile(rules, before)
        self.weight += 10
        if alike(self.program.graph, COMMON):
            self.traits |= BEARS_OFFLOADS

    @cached_property
    def takes(self) -> tuple[Form, ...]:
        regions = {test.region for test in all_tests(in_order(self.program.graph))}
        return (MARKED,) if regions and "ether" not in regions else ()

    def code(self) -> str:
        return f'#include "classification/regions.h"\n{self.families()}' + self.function(REGIONS)

    def guard(self, test: Test) -> str:
        """For a test of an address for a rare first byte: packets known to have ordinary addresses fail it."""
        if test.region == "ip6" and test.offset in ADDRESSES6 and test.mask >> 24 == 0xFF:
            return f"may_begin(p, 0x{test.value >> 24:02x})"
        return ""

    def families(self) -> str:
        """C code for the regions of packets that may be IPv6, if the program uses them."""
        six = any(test.region not in FOUR for test in all_tests(in_order(self.program.graph)))
        return '#include "classification/regions6.h"\n' if six else ""

    @read_handler("program")
    def read_program(self) -> str:
        """the decision graph, one test a line, as for IPClassifier. It describes the rules even if they are data."""
        return self.program.listing(BASES)


class Reader:
    """Reads the patterns of an element, and collects their errors and warnings."""

    def __init__(self, argument: str, context: Context, texts: Iterable[str]):
        """`texts` are all patterns of the element: a word about IPv6 in one of them affects the others."""
        self._argument, self._context = argument, context
        self._families = says_ip6(word for text in texts for word in self.words(text))
        self.errors: list[ArgError] = []
        self.warnings: list[ArgError] = []

    def words(self, text: str) -> Words:
        """The words of an argument. Places in a quoted one are unknown."""
        plain = unquote(text)
        return Words(text) if plain == text else Words(plain, places=False)

    def pattern(self, words: Words, number: int) -> Expression:
        pattern = Pattern(words, self._context, self._families)
        for error in pattern.errors:
            self.wrong(error, number)
        self.warnings += [self._about(warning, number) for warning in pattern.warnings]
        return pattern.expression

    def wrong(self, error: ArgError, number: int) -> None:
        self.errors.append(self._about(error, number))

    def finish(self) -> None:
        """Raise the errors, if there are any."""
        if self.errors:
            raise ExceptionGroup("patterns", self.errors)

    def _about(self, error: ArgError, number: int) -> ArgError:
        message = f"pattern {number}: {error.message}"
        return ArgError(message, error.hint, argument=self._argument, index=number, offset=error.offset)
