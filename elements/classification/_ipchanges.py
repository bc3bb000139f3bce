"""Patterns changed while packets flow: their text, and a program that the runtime interprets.

The kernel path has the configuration's patterns compiled in. Once they are changed it hands over all packets.
"""

from collections.abc import Sequence

from clickbpf.declare import SETTINGS, ArgError, Array, Element, Vars, change_settings, for_runtime, s32, u8, u16, u32
from clickbpf.classify import Program
from clickbpf.classify.graph import Decision, Leaf, Node, in_order

#: Room: steps of a program, bytes of a pattern.
STEPS, TEXT = 1024, 1000

#: Regions in the order of C.
REGIONS = ("ether", "ip", "transp", "ip4", "transp4", "ip6", "frag6", "last6", "upper6")

#: `otherwise` is the result for packets too short for the step. `start`, `yes` and `no` are numbers of steps or, below zero, the
#: packet's fate: ~output, or DROPPED.
STATES = {
    "vars": Vars(changed=u8, start=s32),
    "steps": for_runtime(Array(STEPS, region=u8, otherwise=u8, offset=u16, needs=u16, mask=u32, value=u32, yes=s32, no=s32)),
    "settings": SETTINGS,
    "texts": for_runtime(Array(lambda element: element.noutputs, given=u8, length=u16, text=u8 * TEXT)),
}
DROPPED = -(1 << 31)


def patterns(element: Element) -> list[str]:
    """The current patterns."""
    if element.state is None:
        return list(element.cfg.pattern)
    pairs = zip(element.state.texts, element.cfg.pattern, strict=True)
    return [bytes(now.text[: now.length]).decode() if now.given else configured for now, configured in pairs]


def is_changed(element: Element) -> bool:
    return element.state is not None and bool(element.state.vars.changed)


def change(element: Element, texts: Sequence[str], program: Program) -> None:
    """Use a program instead of the compiled one; return to that if the patterns are the configured ones again."""
    state, steps = element.state, [node for node in in_order(program.graph) if isinstance(node, Decision)]
    encoded = [text.encode("utf-8", "surrogateescape") for text in texts]
    if len(steps) > STEPS or max(map(len, encoded)) > TEXT:
        limits = f"a program of up to {STEPS} steps and patterns of up to {TEXT} bytes can be changed"
        raise ArgError("the patterns are too long to be changed while packets flow", f"{limits}; load them as a configuration")
    change_settings(element)
    state.vars.changed = 0
    for place, text in zip(state.texts, encoded, strict=True):
        place.given, place.length, place.text[: len(text)] = 1, len(text), text
    numbers = {node: number for number, node in enumerate(steps)}
    for node, step in zip(steps, state.steps):
        test = node.test
        step.region, step.offset, step.needs, step.otherwise = REGIONS.index(test.region), test.offset, test.needs, test.short
        step.mask, step.value = test.mask, test.value
        step.yes, step.no = _target(node.yes, numbers), _target(node.no, numbers)
    state.vars.start = _target(program.graph, numbers)
    state.vars.changed = list(texts) != list(element.cfg.pattern)


def _target(node: Node, numbers: dict[Node, int]) -> int:
    if isinstance(node, Leaf):
        return DROPPED if node.output is None else ~node.output
    return numbers[node]
