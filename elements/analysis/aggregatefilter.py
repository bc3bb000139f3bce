import re
from collections.abc import Iterable

from clickbpf.declare import NOWHERE, ArgError, Context, Element, Integer, Rest, Type, split_words

#: The output number of dropped packets.
DROP = -1
_RANGE = re.compile(r"([^-]+)-([^-]+)")
_LAST = (1 << 32) - 1
_ALL = ((0, _LAST),)


def _overlaps(known: list[tuple[int, int, int]], first: int, last: int) -> Iterable[tuple[int, int, int]]:
    """The parts of a range that earlier rules cover, each with the output of the first such rule."""
    left = [(first, last)]
    for low, high, output in known:
        rest = []
        for start, end in left:
            if start <= high and low <= end:
                yield max(start, low), min(end, high), output
                rest += [part for part in ((start, low - 1), (high + 1, end)) if part[0] <= part[1]]
            else:
                rest.append((start, end))
        left = rest


class FilterRule(Type):
    """`ACTION AGGREGATES`; value (output or DROP, tuple of (first, last))."""

    described = "an output, or allow or drop, and aggregates: 0 1-10 17"

    def parse(self, text: str, context: Context = NOWHERE) -> tuple[int, tuple[tuple[int, int], ...]]:
        words = split_words(text)
        if not words:
            raise ArgError("empty pattern")
        if len(words) == 1:
            raise ArgError("pattern has no aggregates", f"as in '{words[0]} 1-10'")
        ranges = _ALL if words[1:] in (["all"], ["-"]) else tuple(map(self._range, words[1:]))
        return self._action(words[0]), ranges

    @staticmethod
    def _action(word: str) -> int:
        if word in ("drop", "deny"):
            return DROP
        if word == "allow":
            return 0
        try:
            return Integer(8).parse(word)
        except ArgError:
            raise ArgError(f"expected a port number, not '{word}'", "or allow, drop, deny") from None

    @staticmethod
    def _range(word: str) -> tuple[int, int]:
        first, last = match.groups() if (match := _RANGE.fullmatch(word)) else (word, word)
        try:
            return Integer(32).parse(first), Integer(32).parse(last)
        except ArgError:
            raise ArgError(f"bad aggregate number '{word}'") from None


class AggregateFilter(Element, ports="1/-", processing="h/h"):
    """sends packets out by their aggregate annotation

    Synopsis: `AggregateFilter(ACTION AGGREGATES, ...)`

    The first rule that matches the packet's aggregate decides; a packet without a matching rule is dropped.

    Arguments:

      - each is an ACTION – an output, `allow` for output 0, `drop` or `deny` – and AGGREGATES, numbers and ranges such as `0-98`;
        `all` or `-` means every aggregate.

    Example: FromDump(trace.pcap, FORCE_IP true) -> AggregateIPFlows -> AggregateFilter(allow 17 20-25) -> ToDump(some.pcap);
    """

    args = (Rest("RULE", FilterRule()),)

    def configure(self) -> None:
        mistakes = [
            ArgError(f"there is no output {output}", argument="RULE", index=index)
            for index, (output, _) in enumerate(self.cfg.rule)
            if output >= self.noutputs
        ]
        if mistakes:
            raise ExceptionGroup("rules", mistakes)

    def warnings(self) -> Iterable[ArgError]:
        """Rules and aggregates that earlier rules hide."""
        known: list[tuple[int, int, int]] = []
        for index, (output, ranges) in enumerate(self.cfg.rule):
            if _ALL in (rule[1] for rule in self.cfg.rule[:index]):
                yield ArgError(f"pattern {index} matches no packets", argument="RULE", index=index)
                continue
            for first, last in ranges if ranges != _ALL else ():
                for low, high, earlier in _overlaps(known, first, last):
                    if earlier != output:
                        yield self._late(index, low, high, earlier)
                known.append((first, last, output))

    def _late(self, index: int, low: int, high: int, earlier: int) -> ArgError:
        """Click's number for the output of dropped packets is the one after the last."""
        which = f"aggregate {low}" if low == high else f"aggregates {low}-{high}"
        what = "dropped" if earlier == DROP else f"filtered to output {earlier}"
        in_click = f"filtered to output {self.noutputs if earlier == DROP else earlier}"
        said = f"pattern {index}: {which} already"
        return ArgError(f"{said} {what}", argument="RULE", index=index, in_click=f"warning: {said} {in_click}")

    def code(self) -> str:
        """A chain of comparisons, in the order of the rules."""
        lines = ""
        for output, ranges in self.cfg.rule:
            for first, last in ranges:
                lines += f"\tif ({self._test(first, last)})\n\t\treturn {output};\n"
        return f"static __always_inline int SELF(match)(__u32 aggregate)\n{{\n\t(void)aggregate;\n{lines}\treturn {DROP};\n}}\n"

    @staticmethod
    def _test(first: int, last: int) -> str:
        if first == last:
            return f"aggregate == {first}u"
        return f"aggregate - {first}u <= {last - first}u" if first <= last else "0"
