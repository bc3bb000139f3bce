"""Suggestions for unknown names."""

from collections.abc import Iterable
from difflib import get_close_matches

from clickbpf.errors import Fix

#: The least similarity, from 0 to 1, of a name that may have been meant, by whether it is long ('VLANSwitch' and 'PaintSwitch' have 0.76).
SIMILAR = {False: 0.6, True: 0.77}
#: The most letters of a short name.
SHORT = 5


def did_you_mean(text: str, known: Iterable[str]) -> Fix | None:
    """A hint with the name most similar to `text`, regardless of case; None if there is no similar one."""
    folded = {name.casefold(): name for name in known}
    close = get_close_matches(text.casefold(), folded, 1, SIMILAR[len(text) > SHORT])
    return instead(text, folded[close[0]]) if close else None


def instead(text: str, meant: str) -> Fix:
    """The hint that another name was meant."""
    return Fix(f"did you mean '{meant}'?", text, meant)
