"""The tests that can follow a node of a decision graph, summarised so that examining many nodes stays cheap."""

from collections.abc import Iterable, Mapping

from clickbpf.classify.expression import Test
from clickbpf.classify.graph import Decision, Node, all_tests, children
from clickbpf.frozen import frozen

Word = tuple[str, int]
#: (mask, value) of a word's bits.
Bits = tuple[int, int]


class Questions:
    """The distinct tests of a graph. A set of tests is a number with a bit for each."""

    def __init__(self, tests: Iterable[Test]):
        self.bit: dict[Test, int] = {}
        self._by_mask: dict[Word, dict[int, list[Test]]] = {}
        for test in tests:
            if test not in self.bit:
                self.bit[test] = 1 << len(self.bit)
                self._by_mask.setdefault(test.word, {}).setdefault(test.mask, []).append(test)
        self._by_part: dict[tuple[Word, int, int], dict[int, int]] = {}
        self._concerned: dict[tuple[Word, Bits, int], int] = {}

    def concerned(self, word: Word, excluded: Bits, known_mask: int) -> int:
        """The tests that are decided if a word is known not to have the `excluded` bits, and its bits under `known_mask` are known."""
        key = word, excluded, known_mask
        if key not in self._concerned:
            self._concerned[key] = self._find_concerned(*key)
        return self._concerned[key]

    def _find_concerned(self, word: Word, excluded: Bits, known_mask: int) -> int:
        mask, value = excluded
        found = 0
        for test_mask in self._by_mask.get(word, ()):
            if not mask & ~(test_mask | known_mask):
                part = mask & test_mask
                found |= self._with_part(word, test_mask, part).get(value & part, 0)
            if mask == test_mask and not mask & (mask - 1):
                found |= self._with_part(word, mask, mask).get(value ^ mask, 0)
        return found

    def _with_part(self, word: Word, mask: int, part: int) -> dict[int, int]:
        """The tests of a word under a mask, by the bits of their value under part of the mask."""
        key = word, mask, part
        if key not in self._by_part:
            sets: dict[int, int] = {}
            for test in self._by_mask[word][mask]:
                sets[test.value & part] = sets.get(test.value & part, 0) | self.bit[test]
            self._by_part[key] = sets
        return self._by_part[key]


@frozen
class Ahead:
    """The tests that can follow a node: their masks by word, the lengths they need by region, and their set."""

    questions: Questions
    masks: Mapping[Word, int]
    needs: Mapping[str, frozenset[int]]
    tests: int

    def concerns(self, word: Word, excluded: Bits, known_mask: int) -> bool:
        return bool(self.tests & self.questions.concerned(word, excluded, known_mask))


def tests_ahead(order: list[Node]) -> dict[Node, Ahead]:
    """For each node the tests ahead, including its own. In `order` each node precedes its successors."""
    questions = Questions(all_tests(order))
    ahead: dict[Node, Ahead] = {}
    for node in reversed(order):
        masks: dict[Word, int] = {}
        needs: dict[str, frozenset[int]] = {}
        found = 0
        for child in map(ahead.__getitem__, children(node)):
            found |= child.tests
            for word, mask in child.masks.items():
                masks[word] = masks.get(word, 0) | mask
            for region, lengths in child.needs.items():
                needs[region] = needs.get(region, frozenset()) | lengths
        if isinstance(node, Decision):
            test = node.test
            found |= questions.bit[test]
            masks[test.word] = masks.get(test.word, 0) | test.mask
            needs[test.region] = needs.get(test.region, frozenset()) | {test.needs}
        ahead[node] = Ahead(questions, masks, needs, found)
    return ahead
