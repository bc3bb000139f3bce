"""What is known of several packets, and what is wanted by several elements, about how packets lie in memory."""

from __future__ import annotations

from collections.abc import Iterable

from clickbpf.vocabulary.alignment import Alignment


def either(alignments: Iterable[Alignment]) -> Alignment | None:
    """What is true of all; None if there are none."""
    result = None
    for alignment in alignments:
        result = alignment if result is None else result | alignment
    return result


def all_of(wanted: Iterable[Alignment | None]) -> Alignment | None:
    """The one that satisfies all that are wanted; None if nothing is, or no one thing is enough."""
    result = None
    for alignment in wanted:
        if alignment is None or (result and result.satisfies(alignment)):
            continue
        if result and not alignment.satisfies(result):
            return None
        result = alignment
    return result
