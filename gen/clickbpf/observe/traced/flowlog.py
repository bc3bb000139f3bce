"""The flows of a traced router's packets, and what became of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from clickbpf.observe.traced.headers import flow
from clickbpf.observe.traced.packets import Way

#: The most flows that are kept apart.
MOST = 10_000


@dataclass
class FlowEntry:
    """Packets of one flow that came by the same device and ended alike; `flow` is "" for those of all further flows."""

    came_from: str
    flow: str
    ended: str
    packets: int = 0
    bytes: int = 0


def flow_log(ways: Iterable[Way]) -> list[FlowEntry]:
    """The flows of packets, those with most packets first."""
    found: dict[tuple[str, str, str], FlowEntry] = {}
    for way in ways:
        ended = " and ".join(dict.fromkeys(end.partition(",")[0] for end in way.ends))
        key = way.came_from, flow(way.events[0]), ended
        if key not in found and len(found) >= MOST:
            key = way.came_from, "", ended
        entry = found.setdefault(key, FlowEntry(*key))
        entry.packets += not way.goes_on
        entry.bytes += 0 if way.goes_on else way.events[0].length
    return sorted(found.values(), key=lambda entry: -entry.packets)
