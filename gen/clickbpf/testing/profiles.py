"""Random profiles: whichever packets a router is compiled for, it does the same."""

from __future__ import annotations

from random import Random

from clickbpf.graph.check import CheckedRouter
from clickbpf.plan.profile import Profile

#: Packets of a rule: none, few or most.
PACKETS = (0, 0, 1, 30, 1000)


def random_profile(checked: CheckedRouter, seed: int) -> Profile:
    """Packets for all ways that packets can take through the elements of a router."""
    random, elements = Random(seed), checked.instances.items()
    ways = [(name, way) for name, element in elements if element.ways for way in element.ways.names]
    return Profile.counted(ways, [random.choice(PACKETS) for _ in ways])
