"""Names in tests: an unknown name is an error, since an expectation about it might pass without testing anything."""

from collections.abc import Iterable, Iterator
from functools import cache

from scapy.config import conf
from scapy.packet import Packet

from clickbpf.errors import ClickError
from clickbpf.nearest import did_you_mean

#: At most this many names are listed if none is similar.
FEW = 20


def check(what: str, name: str | None, known: Iterable[str]) -> None:
    """ClickError unless `name` is None or known; the hint has the nearest name, or all if they are few."""
    known = list(known)
    if name is None or name in known:
        return
    same = [each for each in known if each.lower() == name.lower()]
    hint = did_you_mean(same[0] if same else name, known)
    raise ClickError(f"there is no {what} {name}", hint=hint or (f"there is {', '.join(known)}" if 0 < len(known) <= FEW else None))


def check_ignored(ignore: Iterable[str], *packets: Packet | bytes) -> frozenset[str]:
    """Check the names in `ignore`: layers, or fields as `Layer.field`. A test's own layers are found in the packets."""
    ignore = frozenset(ignore)
    for name in sorted(ignore):
        layers = _layers() | {kind.__name__: kind for packet in packets for kind in _kinds(packet)}
        layer, dot, field = name.partition(".")
        check("layer", layer, layers)
        if dot:
            check(f"field of {layer}", field, (description.name for description in layers[layer].fields_desc))
    return ignore


@cache
def _layers() -> dict[str, type[Packet]]:
    return {kind.__name__: kind for kind in conf.layers}


def _kinds(packet: Packet | bytes) -> Iterator[type[Packet]]:
    while isinstance(packet, Packet) and packet.name != "NoPayload":
        yield type(packet)
        packet = packet.payload
