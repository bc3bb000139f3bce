from clickbpf.declare import USER, ArgError, NameGiver, Names, Raw, Rest, read_each, split_words

from ._pattern import PATTERN_NAME, Pattern
from ._spec import PATTERN, Spec, spec_state
from ._structures import HEADERS


class IPRewriterPatterns(NameGiver, ports="0/0", runs=USER):
    """gives names to patterns of rewriters

    Synopsis: `IPRewriterPatterns(NAME PATTERN, ...)`

    Rewriters (such as IPRewriter) and mappers may then use NAME for a pattern. All elements that use a name share the pattern: if
    ports or addresses are assigned in order, one element continues where another has stopped.

    Arguments:

      - NAME PATTERN: a unique name, and a pattern as in an INPUTSPEC of a rewriter, without outputs.

    Example:

        IPRewriterPatterns(hidden 192.0.2.1 1024-65535 - -);
        nat :: IPRewriter(pattern hidden 0 1, drop);
        FromDevice(inside) -> Strip(14) -> CheckIPHeader -> [0] nat;
        FromDevice(outside) -> Strip(14) -> CheckIPHeader -> [1] nat;
        nat[0] -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(outside);
        nat[1] -> EtherEncap(0x0800, 02:00:00:00:00:03, 02:00:00:00:00:04) -> Queue -> ToDevice(inside);
    """

    headers = HEADERS
    args = (Rest("PATTERN", Raw()),)
    state_types = {"specs": spec_state(lambda element: max(1, len(element.patterns)))}
    holds = ()

    def configure(self) -> None:
        self.patterns: dict[str, Pattern] = {}
        read_each("PATTERN", self.cfg.pattern, self._add)

    def _add(self, text: str, index: int) -> None:
        if not text:
            return
        name, *words = split_words(text)
        if name in self.patterns or self.context.names.query(PATTERN_NAME, self.name, name):
            raise ArgError(f"pattern '{name}' already defined")
        if len(words) == 1:
            raise ArgError("syntax error", "a pattern is 'SADDR SPORT DADDR DPORT' or 'SADDR DADDR'")
        self.patterns[name] = Pattern.parse(words, self.context)

    def define_names(self, names: Names) -> None:
        for number, (name, pattern) in enumerate(self.patterns.items()):
            names.define(PATTERN_NAME, self.name, name, (self.name, number, pattern))

    def initialise(self) -> None:
        for value, pattern in zip(self.state.specs, self.patterns.values()):
            Spec(PATTERN, pattern=pattern).store(value, {})
