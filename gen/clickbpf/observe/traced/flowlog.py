"""The flows of a traced router's packets, and how these packets ended."""

from collections.abc import Iterable
from dataclasses import dataclass

from clickbpf.observe.traced.headers import flow
from clickbpf.observe.traced.packets import PacketPath

#: The most flows with an entry of their own.
MOST = 10_000


@dataclass
class FlowEntry:
    """The packets of one flow from the same device with the same end; `flow` is "" for all flows beyond MOST."""

    came_from: str
    flow: str
    ended: str
    packets: int = 0
    bytes: int = 0


def flow_log(paths: Iterable[PacketPath]) -> list[FlowEntry]:
    """The flows of packets, the largest first."""
    found: dict[tuple[str, str, str], FlowEntry] = {}
    for path in paths:
        ended = " and ".join(dict.fromkeys(end.partition(",")[0] for end in path.ends))
        key = path.came_from, flow(path.events[0]), ended
        if key not in found and len(found) >= MOST:
            key = path.came_from, "", ended
        entry = found.setdefault(key, FlowEntry(*key))
        entry.packets += not path.goes_on
        entry.bytes += 0 if path.goes_on else path.events[0].length
    return sorted(found.values(), key=lambda entry: -entry.packets)
