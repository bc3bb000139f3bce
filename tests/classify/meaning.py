"""What rules mean, by which the compiler's results are judged."""

from array import array
from collections.abc import Mapping

from clickbpf.classify.expression import WIDTH, All, Choose, Constant, Expression, Not, Some, Test
from clickbpf.classify.graph import Check, Decision, HandOver, Leaf, Node
from clickbpf.classify.halves import ALONE, NOTHING, STATES, ones
from clickbpf.classify.vectors import WORD, Entry, Vectors


def holds(test: Test, regions: dict[str, bytes]) -> bool:
    """The answer for a packet, given as the bytes of its regions."""
    data = regions.get(test.region, b"")
    if len(data) < test.needs:
        return test.short
    word = data[test.offset : test.offset + WIDTH].ljust(WIDTH, b"\0")
    return int.from_bytes(word, "big") & test.mask == test.value


def evaluate(expression: Expression, regions: dict[str, bytes]) -> bool:
    """The meaning of an expression, straight from its definition."""
    match expression:
        case Test():
            return holds(expression, regions)
        case Constant(value):
            return value
        case All(parts):
            return all(evaluate(part, regions) for part in parts)
        case Some(parts):
            return any(evaluate(part, regions) for part in parts)
        case Not(part):
            return not evaluate(part, regions)
        case Choose(condition, then, otherwise):
            return evaluate(then if evaluate(condition, regions) else otherwise, regions)
    raise TypeError(expression)


def classify(root: Node, regions: dict[str, bytes]) -> int | None:
    """Where a packet, given as the bytes of its regions, ends."""
    node = root
    while not isinstance(node, Leaf):
        node = _following(node, regions)
    return node.output


def _following(node: Check | Decision | HandOver, regions: dict[str, bytes]) -> Node:
    if isinstance(node, HandOver):
        return node.next
    return node.yes if _holds(node, regions) else node.no


def _holds(node: Check | Decision, regions: dict[str, bytes]) -> bool:
    if isinstance(node, Check):
        return len(regions.get(node.region, b"")) >= node.length
    return holds(node.test, regions)


def look_up(made: Vectors, regions: Mapping[str, bytes]) -> int | None:
    """Where a packet, given as the bytes of its regions, goes: what the C does, step by step."""
    rows, places = made.rows
    here = [places[n * STATES + state(regions.get(region, b""), at)] for n, (region, at) in enumerate(made.halves)]
    best: Entry | None = None
    for number in range(made.summary):
        for place in ones(common(rows, here, number)):
            word = number * WORD + place
            found = common(rows, here, made.summary + word)
            entry = made.order[word * WORD + next(ones(found))] if found else None
            if entry and (best is None or entry.rule < best.rule):
                best = entry
    return best.output if best else None


def state(data: bytes, offset: int) -> int:
    """The state of the half at an offset of a region."""
    there = data[offset : offset + 2]
    if len(there) == 2:
        return int.from_bytes(there, "big")
    return ALONE + there[0] if there else NOTHING


def common(rows: array, here: list[int], place: int) -> int:
    """The bits that are 1 in this word of all rows."""
    found = (1 << WORD) - 1
    for row in here:
        found &= rows[row + place]
    return found
