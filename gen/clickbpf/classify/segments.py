"""Whether a program treats each segment of a TCP stream like the packet they are joined to. These differ in lengths, identifications,
checksums, and TCP's sequence numbers and flags."""

from collections.abc import Callable, Collection, Mapping

from clickbpf.classify.expression import Test
from clickbpf.classify.graph import Check, Decision, HandOver, Leaf, Node

#: The bytes that are equal in all segments, by region.
Common = Mapping[str, Collection[int]]


def alike(node: Node, common: Common, after: Callable[[Test, Common], Common] = lambda _test, common: common) -> bool:
    """Whether all tests read only common bytes. `after` returns the common bytes of packets for which a test holds."""
    seen: set[tuple[int, int]] = set()
    pending = [(node, common)]
    while pending:
        node, known = pending.pop()
        if (id(node), id(known)) in seen or isinstance(node, Leaf):
            continue
        seen.add((id(node), id(known)))
        match node:
            case HandOver():
                pending.append((node.next, known))
            case Check():
                pending += [(node.yes, known), (node.no, known)]
            case Decision():
                if not _bytes(node.test) <= set(known.get(node.test.region, ())):
                    return False
                pending += [(node.yes, after(node.test, known)), (node.no, known)]
    return True


def _bytes(test: Test) -> set[int]:
    return {test.offset + place for place in range(4) if test.mask >> 8 * (3 - place) & 0xFF}
