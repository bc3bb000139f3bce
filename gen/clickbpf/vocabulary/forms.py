"""Forms: facts about the packets at a port, for the check of a configuration's data flow (graph/dataflow.py)."""

from collections.abc import Iterable, Iterator
from typing import Self

from clickbpf.frozen import frozen
from clickbpf.vocabulary.annotations import ANNOTATIONS

#: The headers with which a packet can begin: Ethernet's, or that of a network protocol such as IP.
ETHERNET, NETWORK = "ethernet", "network"


@frozen
class Form:
    """Facts about packets, or a class's needs; None where nothing is known or needed."""

    #: The header with which the packet begins: ETHERNET or NETWORK.
    begins: str | None = None
    #: Whether the network header annotation is set, as CheckIPHeader sets it.
    marked: bool | None = None
    #: The annotations, among those that classes need, that nothing has set. `gives` needn't update this, because every class declares the
    #: annotations that it sets (`Element.annotations_written`).
    unset: frozenset[str] = frozenset()
    #: The annotation that a class needs (in `takes`).
    needs: str | None = None

    def changed(self, **facts: str | bool | frozenset[str] | None) -> Self:
        return Form(**{**vars(self), **facts})

    def with_set(self, written: Iterable[tuple[int, int]]) -> Self:
        """The form after these bytes (offset, length) of the annotations may have been set."""
        touched = {byte for offset, length in written for byte in range(offset, offset + length)}
        return self.changed(unset=frozenset(name for name in self.unset if not touched.intersection(range(*_bytes(name)))))

    def lacks(self, wanted: Self) -> Iterator[tuple[str, str | bool]]:
        """The wanted facts that these contradict: each fact's name, and the wanted value."""
        for name, value in (("begins", wanted.begins), ("marked", wanted.marked)):
            if value is not None and getattr(self, name) not in (None, value):
                yield name, value
        if wanted.needs in self.unset:
            yield "needs", wanted.needs


def _bytes(name: str) -> tuple[int, int]:
    offset, length = ANNOTATIONS[name]
    return offset, offset + length


ANY = Form()
#: New packets, of which nothing else is known.
NEW = Form(marked=False, unset=frozenset({"DST_IP", "DST_IP6", "IPSEC_SA_DATA_REFERENCE"}))
#: Packets from an Ethernet device.
FRAMES = NEW.changed(begins=ETHERNET)
#: Packets with a marked IP header.
MARKED = Form(marked=True)
