"""Input specifications: how a rewriter treats packets without a flow. In C: struct nat_spec."""

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any

from clickbpf.declare import ArgError, Array, Context, Integer, be16, be32, did_you_mean, frozen, is_a, split_words, u8, u16, u32

from ._pattern import PATTERN_NAME, Pattern


class Kind(IntEnum):
    """The kinds of input specifications."""

    DROP, PASS, KEEP, PATTERN, MAPPER = range(5)


DROP, PASS, KEEP, PATTERN, MAPPER = Kind
_KINDS = {
    **dict.fromkeys(("drop", "discard"), DROP),
    **dict.fromkeys(("pass", "passthrough", "nochange"), PASS),
    "keep": KEEP,
    **dict.fromkeys(("pattern", "xpattern"), PATTERN),
}


def spec_state(size: Callable[[Any], int]) -> Array:
    """`size(element)` specifications.

    `output` has the outputs for packets and for replies; `top` and `next` are the last number of the pattern's range and the next
    one to try, relative to the first. A named pattern is number `number` of the element with index `element` - 1, which holds
    `next` for all users; a mapper is the element with index `element` - 1. `count` is the number of flows, `failures` that of
    packets without a flow.
    """
    return Array(
        size,
        kind=u8, ports=u8, order=u8, active=u8, output=u16 * 2, saddr=be32, daddr=be32, sport=be16, dport=be16, top=u32, next=u32,
        element=u32, number=u32, count=u32, failures=u32, input=u32,
    )


SPECS = spec_state(lambda element: 1)


@frozen
class Spec:
    """A specification; `element` is the full name of a mapper, or of the element that holds the pattern as its `number`."""

    kind: int
    output: tuple[int, int] = (0, 0)
    pattern: Pattern | None = None
    element: str | None = None
    number: int = 0

    def store(self, value: Any, positions: Mapping[str, int]) -> None:
        """Write it into a value of the state; `positions` are the elements' numbers. Counts become 0."""
        value.kind, value.active = self.kind, 1
        value.output[0], value.output[1] = self.output
        value.element = 0 if self.element is None else positions[self.element] + 1
        value.number, value.next, value.count, value.failures = self.number, 0, 0, 0
        if self.pattern:
            p = self.pattern
            value.saddr, value.sport, value.daddr, value.dport = p.saddr, p.sport, p.daddr, p.dport
            value.top, value.order, value.ports = p.top, p.order, p.ports


def stored_pattern(value: Any) -> Pattern:
    """The pattern in a value of the state."""
    return Pattern(value.saddr, value.sport, value.daddr, value.dport, value.top, value.order, bool(value.ports))


def describe(value: Any) -> str:
    """A stored specification as the handlers show it, a line."""
    fixed = {DROP: "<drop>", PASS: "<nochange>", KEEP: "<keep>", MAPPER: "<mapper>"}
    text = fixed.get(value.kind) or str(stored_pattern(value))
    return f"{text} [{value.count}]\n" if value.count else f"{text}\n"


def parse_spec(text: str, context: Context, noutputs: int) -> Spec:
    """An INPUTSPEC of a rewriter with that many outputs. Raises ArgError."""
    words = split_words(text)
    if not words:
        raise ArgError("empty argument")
    kind = _KINDS.get(words[0])
    if kind is None:
        return _mapper(words, context, noutputs)
    if kind == DROP:
        if words[1:]:
            raise ArgError(f"syntax error, expected '{words[0]}'")
        return Spec(DROP)
    if kind == PASS:
        spec = Spec(PASS, (_output(words[1:]), 0))
    elif kind == KEEP:
        spec = Spec(KEEP, _outputs(words[1:]))
    else:
        spec = parse_pattern_spec(words[1:], context)
    if max(spec.output) >= noutputs:
        raise ArgError("output port out of range", f"the outputs that are connected: {', '.join(map(str, range(noutputs))) or 'none'}")
    return spec


def parse_pattern_spec(words: list[str], context: Context) -> Spec:
    """PATTERN FOUTPUT ROUTPUT, the pattern in words or by its name."""
    if len(words) <= 2:
        raise ArgError("syntax error", "expected a pattern, the output for packets and the one for replies")
    outputs = _outputs(words[-2:])
    if len(words) > 3:
        return Spec(PATTERN, outputs, Pattern.parse(words[:-2], context))
    found = context.names.query(PATTERN_NAME, context.element, words[0])
    if found is None:
        known = context.names.known(PATTERN_NAME, context.element)
        raise ArgError(f"no such pattern '{words[0]}'", did_you_mean(words[0], known))
    element, number, pattern = found
    return Spec(PATTERN, outputs, pattern, element, number)


def _output(words: list[str]) -> int:
    try:
        return Integer(16).parse(" ".join(words), Context()) if words else 0
    except ArgError:
        raise ArgError("syntax error, expected 'nochange [OUTPUT]'") from None


def _outputs(words: list[str]) -> tuple[int, int]:
    found = []
    for number, which in enumerate(("forward", "reply")):
        try:
            found.append(Integer(16).parse(words[number], Context()) if len(words) == 2 else None)
        except ArgError:
            found.append(None)
        if found[-1] is None:
            raise ArgError(f"bad {which} port", "expected two outputs, for packets and for replies")
    return found[0], found[1]


def _mapper(words: list[str], context: Context, noutputs: int) -> Spec:
    element = context.find(words[0])
    if element is None:
        raise ArgError("unknown specification", "expected pass, keep, drop, pattern or the name of a mapper")
    if words[1:]:
        raise ArgError("syntax error, expected element name")
    class_ = context.class_of(element)
    if class_ is not None and not is_a(class_, "IPMapper"):
        raise ArgError("element is not an IPMapper", f"'{element}' is a {class_.class_name()}")
    used = class_.outputs_of(context.router.element(element).config) if class_ else ()
    for number, outputs in enumerate(used):
        if max(outputs) >= noutputs:
            raise ArgError(f"output port out of range in {element} :: {class_.class_name()} pattern {number}")
    return Spec(MAPPER, element=element)
