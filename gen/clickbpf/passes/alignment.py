"""Combining alignments: those known of several packets, and those wanted by several elements."""

from collections.abc import Iterable

from clickbpf.vocabulary.alignment import Alignment


def either(alignments: Iterable[Alignment]) -> Alignment | None:
    """The alignment that all of these packets have; None if there are none."""
    result = None
    for alignment in alignments:
        result = alignment if result is None else result | alignment
    return result


def all_of(wanted: Iterable[Alignment | None]) -> Alignment | None:
    """The alignment that satisfies all wanted ones; None if there are none, or no single one does."""
    result = None
    for alignment in wanted:
        if alignment is None or (result and result.satisfies(alignment)):
            continue
        if result and not alignment.satisfies(result):
            return None
        result = alignment
    return result
