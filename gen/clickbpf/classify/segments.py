"""Whether a program does the same to each segment of a TCP stream as to all of them joined to one packet, which differ in lengths,
identifications, checksums, and TCP's sequence numbers and flags."""

from collections.abc import Callable, Collection, Mapping

from clickbpf.classify.expression import Test
from clickbpf.classify.graph import Check, Decision, HandOver, Leaf, Node

#: Bytes of a region that are the same in all segments, by the region's name.
Common = Mapping[str, Collection[int]]


def alike(node: Node, common: Common, after: Callable[[Test, Common], Common] = lambda _test, common: common) -> bool:
    """Whether all tests look at common bytes only. `after` gives the bytes that packets for which a test holds have in common."""
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
