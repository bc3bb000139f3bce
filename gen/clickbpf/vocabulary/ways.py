"""The ways that packets take through an element, such as the rules of a filter: a running router can count how many take which one
(bpf/ways.h), and the kernel path can be compiled so that most packets have a short way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from clickbpf.frozen import frozen

#: A configured element of whichever class.
Element: TypeAlias = object


@frozen
class Ways:
    """Each way's name, as the configuration has it; those of equal names are one for a profile.

    `favouring(packets)`, given how many packets take each way, is an element that does the same and takes less time for these packets,
    with the numbers of the ways that it tries first. `counting(first)` is one that counts, in C by `count_way(first + number)`.
    """

    names: tuple[str, ...]
    favouring: Callable[[Sequence[int]], tuple[Element, tuple[int, ...]]]
    counting: Callable[[int], Element]
