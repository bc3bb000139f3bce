"""The annotations that cross from one executor, or BPF program, to the next."""

from collections.abc import Iterable

from clickbpf.vocabulary.annotations import TRACE
from clickbpf.vocabulary.element import Element


def carried_annotations(instances: Iterable[Element], traced: bool = False) -> tuple[tuple[int, int], ...]:
    """The bytes (offset, length) of annotations that some element may write, and that tracing writes: ascending, and joined where they
    touch or overlap."""
    ranges = sorted({r for element in instances for r in element.annotations_written()} | ({TRACE} if traced else set()))
    joined: list[tuple[int, int]] = []
    for offset, length in ranges:
        if joined and offset <= joined[-1][0] + joined[-1][1]:
            start, size = joined[-1]
            joined[-1] = (start, max(size, offset + length - start))
        else:
            joined.append((offset, length))
    return tuple(joined)
