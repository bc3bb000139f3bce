"""Comparing one configuration: loaded twice without a kernel path, and once by each variant."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from clickbpf.testing.live.differences import Difference, comparable, differences, undetermined
from clickbpf.testing.live.play import Play, Record
from clickbpf.testing.live.stage import Stage
from clickbpf.testing.live.variants import PLAIN, VARIANTS, Variant


class Comparison:
    """Compares a router's variants. Only differences that occur again in a second run count, since timing may cause others."""

    def __init__(self, configuration: Path, variables: Mapping[str, str], seed: int, packets: int):
        self._configuration, self._variables, self._seed, self._packets = configuration, variables, seed, packets
        self._reference = cache(self._plain)
        #: The record of the last variant, and the keys that weren't compared, since they differ from run to run without a kernel path.
        self.record, self.excluded = Record(), frozenset()

    def of(self, name: str) -> list[Difference]:
        """The differences of a variant that occur each time."""
        variant = VARIANTS[name]
        event = None if variant.alone else variant.event
        reference, self.excluded = self._reference(event)
        record = self.record = self._play(variant)
        found = {each.key for each in comparable(differences(reference, record, (PLAIN, name)), self.excluded)}
        if not found:
            return []
        again = self._play(Variant(VARIANTS[PLAIN].options, event), found), self._play(variant, found)
        return [each for each in comparable(differences(*again, (PLAIN, name)), self.excluded) if each.key in found]

    def _plain(self, event) -> tuple[Record, frozenset[str]]:
        """The record to compare with, and the keys in it that packets don't determine."""
        plain = Variant(VARIANTS[PLAIN].options, event)
        one, other = self._play(plain), self._play(plain)
        return one, undetermined(differences(one, other, (PLAIN, f"{PLAIN} again")))

    def _play(self, variant: Variant, watch: Iterable[str] = ()) -> Record:
        with Stage(self._configuration, variant.options, self._variables) as stage:
            return Play(stage, variant, watch).run(self._seed, self._packets)
