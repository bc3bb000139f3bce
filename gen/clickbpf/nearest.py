"""What may have been meant by an unknown name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(text: str, known: Iterable[str]) -> str | None:
    """A hint with the name most like `text`, if one is close; case matters least."""
    folded = {name.casefold(): name for name in known}
    close = get_close_matches(text.casefold(), folded, 1)
    return f"did you mean '{folded[close[0]]}'?" if close else None
