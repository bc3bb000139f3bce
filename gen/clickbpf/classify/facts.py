"""Facts known about a packet on one path through a decision graph, and their consequences.

Facts are immutable; learning returns new ones. Forgetting is always sound: `about` drops facts that can't matter to the tests ahead, so
that paths that differ only in these continue through the same nodes.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Self

from clickbpf.classify.ahead import Ahead, Bits, Word
from clickbpf.classify.expression import Test, needed
from clickbpf.frozen import frozen


@frozen
class Length:
    """A region has at least `least` bytes and, unless `below` is None, fewer than `below`."""

    least: int = 0
    below: int | None = None
    #: Whether a check of the region has failed on this path.
    failed: bool = False


_ANY = Length()


@frozen
class Facts:
    """Knowledge about words and regions.

    `known`: bits that are present and have these values. `excluded`: the word is missing, or at least one of its bits under the mask
    differs. `excused`: the word is missing, or has these values.
    """

    lengths: Mapping[str, Length] = field(default_factory=dict)
    known: Mapping[Word, Bits] = field(default_factory=dict)
    excluded: Mapping[Word, frozenset[Bits]] = field(default_factory=dict)
    excused: Mapping[Word, frozenset[Bits]] = field(default_factory=dict)

    def key(self) -> tuple[frozenset, ...]:
        """A key that is equal for equal facts."""
        return tuple(frozenset(m.items()) for m in (self.lengths, self.known, self.excluded, self.excused))

    # -- what follows ------------------------------------------------------------------------------------------------

    def length(self, region: str) -> Length:
        return self.lengths.get(region, _ANY)

    def present(self, test: Test) -> bool:
        """Whether the packet is known to have a test's bytes."""
        return test.needs <= self.length(test.region).least

    def decide(self, test: Test) -> bool | None:
        """The answer of a test, if it follows from the facts."""
        below = self.length(test.region).below
        if below is not None and test.needs >= below:
            return test.short
        known_mask, known_value = self.known.get(test.word, (0, 0))
        wrong = (known_value ^ test.value) & known_mask & test.mask
        present = self.present(test)
        if wrong or self._excludes(test, known_mask, known_value):
            return False if present or not test.short else None
        if not test.mask & ~known_mask:
            return True
        if test.short and (test.mask, test.value) in self.excused.get(test.word, ()):
            return True
        return True if (present or test.short) and self._leaves_only(test) else None

    def _excludes(self, test: Test, known_mask: int, known_value: int) -> bool:
        """Whether the test's bits together with the known ones are excluded."""
        mask = test.mask | known_mask
        value = test.value | known_value & ~test.mask
        return any(not m & ~mask and not (v ^ value) & m for m, v in self.excluded.get(test.word, ()))

    def _leaves_only(self, test: Test) -> bool:
        """Whether the test is of one bit, and the bit's other value is excluded."""
        return not test.mask & (test.mask - 1) and (test.mask, test.value ^ test.mask) in self.excluded.get(test.word, ())

    # -- learning ----------------------------------------------------------------------------------------------------

    def at_least(self, region: str, length: int) -> Self:
        before = self.length(region)
        if length <= before.least:
            return self
        facts = replace(self, lengths={**self.lengths, region: replace(before, least=length)})
        for word, excused in self.excused.items():
            if word[0] == region:
                for bits in excused:
                    facts = facts if needed(word[1], bits[0]) > length else facts._knowing(word, bits)
        return facts

    def below(self, region: str, length: int) -> Self:
        """Learn that the region has fewer bytes than `length`."""
        return replace(self, lengths={**self.lengths, region: replace(self.length(region), below=length, failed=True)})

    def assume(self, test: Test, outcome: bool) -> Self:
        """Learn the outcome of a test."""
        facts = self
        if test.short != outcome:
            facts = facts.at_least(test.region, test.needs)
        bits = test.mask, test.value
        if not outcome:
            return facts._adding("excluded", test.word, bits) if not test.short or facts.present(test) else facts
        return facts._knowing(test.word, bits) if facts.present(test) else facts._adding("excused", test.word, bits)

    def _knowing(self, word: Word, bits: Bits) -> Self:
        mask, value = self.known.get(word, (0, 0))
        return replace(self, known={**self.known, word: (mask | bits[0], value & ~bits[0] | bits[1])})

    def _adding(self, kind: str, word: Word, bits: Bits) -> Self:
        before = getattr(self, kind)
        return replace(self, **{kind: {**before, word: before.get(word, frozenset()) | {bits}}})

    # -- forgetting --------------------------------------------------------------------------------------------------

    def about(self, ahead: Ahead) -> Self:
        """The facts that can matter to the tests ahead."""
        excluded = {word: self._excluded_about(word, ahead) for word in self.excluded if word in ahead.masks}
        excused = {word: self._excused_about(word, ahead) for word in self.excused if word in ahead.masks}
        known = {}
        for word, (mask, value) in self.known.items():
            matters = ahead.masks.get(word, 0)
            for bits in excluded.get(word, ()):
                matters |= bits[0]
            if mask & matters:
                known[word] = mask & matters, value & matters
        return Facts(
            {region: length for region in self.lengths if (length := self._length_about(region, ahead)) != _ANY},
            known,
            {word: bits for word, bits in excluded.items() if bits},
            {word: bits for word, bits in excused.items() if bits},
        )

    def _length_about(self, region: str, ahead: Ahead) -> Length:
        length, needs = self.lengths[region], ahead.needs.get(region)
        if not needs:
            return _ANY
        least = max((need for need in needs if need <= length.least), default=0)
        below = min((need for need in needs if length.below is not None and need >= length.below), default=None)
        return replace(length, least=least, below=below)

    def _excluded_about(self, word: Word, ahead: Ahead) -> frozenset[Bits]:
        known_mask = self.known.get(word, (0, 0))[0]
        return frozenset(bits for bits in self.excluded[word] if ahead.concerns(word, bits, known_mask))

    def _excused_about(self, word: Word, ahead: Ahead) -> frozenset[Bits]:
        return frozenset((m, v) for m, v in self.excused[word] if m & ahead.masks[word])


NOTHING = Facts()
