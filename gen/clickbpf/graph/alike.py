"""Names that may have been meant instead of one that was written."""

import difflib
from collections.abc import Collection

from clickbpf.errors import Fix
from clickbpf.nearest import instead

MOST_COMPARISONS = 20_000  # a text with thousands of unknown names gets no more hints than one can read


class Alike:
    """Finds names like a given one; the work of all searches together is bounded."""

    def __init__(self) -> None:
        self._left = MOST_COMPARISONS

    @property
    def is_spent(self) -> bool:
        return self._left <= 0

    def __call__(self, name: str, candidates: Collection[str]) -> list[str]:
        """Those of the candidates that are like `name`, the closest first.

        They may differ in case, in a few letters, or in the number at the end.
        """
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
        close = self(name, candidates)
        return instead(name, close[0]) if close else None


def _stem(name: str) -> str:
    """Without the number at the end."""
    return name.rstrip("0123456789") or name
