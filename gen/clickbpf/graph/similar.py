"""Similar names: those that may have been meant by a name that nothing has."""

import difflib
from collections.abc import Collection

from clickbpf.errors import Fix
from clickbpf.nearest import did_you_mean

MOST_COMPARISONS = 20_000  # nobody reads more hints, and in a text with thousands of unknown names they take long


class SimilarNames:
    """Finds names that are similar to a given one; the work of all searches together is limited."""

    def __init__(self) -> None:
        self._left = MOST_COMPARISONS

    @property
    def is_spent(self) -> bool:
        return self._left <= 0

    def __call__(self, name: str, candidates: Collection[str]) -> list[str]:
        """The candidates that differ from `name` in case, in a few letters or in the number at the end, the closest first."""
        if self.is_spent:
            return []
        self._left -= len(candidates)
        folded: dict[str, str] = {}
        for candidate in sorted(candidates):
            folded.setdefault(candidate.casefold(), candidate)
        close = difflib.get_close_matches(name.casefold(), folded, n=5)
        stem = _stem(name.casefold())
        numbered = [other for other in folded if other not in close and _stem(other) == stem]
        return [folded[other] for other in [*close, *numbered]]

    def hint(self, name: str, candidates: Collection[str]) -> Fix | None:
        """A hint that names the closest candidate, if one is close."""
        return did_you_mean(name, self(name, candidates))


def _stem(name: str) -> str:
    """The name without the number at its end."""
    return name.rstrip("0123456789") or name
