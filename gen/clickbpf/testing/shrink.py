"""Shrinking thousands of packets that cause a failure to a few simple ones that still cause it."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Arrival(NamedTuple):
    """A packet, the device on which it arrives, and the seconds that pass before."""

    device: str
    packet: bytes
    pause: float = 0


Fails = Callable[[Sequence[Arrival]], bool]


def shrink(packets: Sequence[Arrival], fails: Fails, patience: float = 3.0) -> list[Arrival]:
    """A short list of simple packets for which `fails` is still true, as it is for `packets`.

    `fails` must begin with fresh state each time. Packets are first left out, then simplified, for up to `patience` seconds.
    """
    end = time.monotonic() + patience

    def tried(candidate: Sequence[Arrival]) -> bool:
        return time.monotonic() < end and fails(candidate)

    fewest = _leave_out(list(packets), tried)
    for index in range(len(fewest)):
        if time.monotonic() < end:
            fewest = _simplify(fewest, index, tried)
    return fewest


def _leave_out(packets: list[Arrival], fails: Fails) -> list[Arrival]:
    """Delta debugging: leave out ever smaller runs of packets, beginning with the earliest, which the failure is least likely to need."""
    size = len(packets) // 2
    while size:
        start = 0
        while start < len(packets):
            candidate = packets[:start] + packets[start + size :]
            if candidate and fails(candidate):
                packets = candidate
            else:
                start += size
        size //= 2
    return packets


def _simplify(packets: list[Arrival], index: int, fails: Fails) -> list[Arrival]:
    """Simplify one packet: remove the pause before it, truncate it, then set its bytes to zero, run by run."""
    device, content, pause = packets[index]

    def put(candidate: bytes, pause: float) -> list[Arrival]:
        return [*packets[:index], Arrival(device, candidate, pause), *packets[index + 1 :]]

    def works(candidate: bytes) -> bool:
        return fails(put(candidate, pause))

    if pause and fails(put(content, 0)):
        pause = 0
    step = len(content)
    while step:
        while len(content) > step and works(content[:-step]):
            content = content[:-step]
        step //= 2
    size = max(1, len(content) // 2)
    while size:
        for start in range(0, len(content), size):
            zeroed = content[:start] + bytes(len(content[start : start + size])) + content[start + size :]
            if zeroed != content and works(zeroed):
                content = zeroed
        size //= 2
    return put(content, pause)
