"""What is known of packets where they enter or leave an element, for the check of a configuration's data flow (graph/dataflow.py)."""

from collections.abc import Iterable, Iterator
from typing import Self

from clickbpf.frozen import frozen
from clickbpf.vocabulary.annotations import ANNOTATIONS

#: The headers that a packet can begin with: Ethernet's, or that of a network protocol such as IP.
ETHERNET, NETWORK = "ethernet", "network"


@frozen
class Form:
    """Facts about packets, or what a class needs of them; None where nothing is known, or nothing is needed."""

    #: The header that the packet begins with: ETHERNET or NETWORK.
    begins: str | None = None
    #: Whether the network header annotation is set, as CheckIPHeader sets it.
    marked: bool | None = None
    #: Of the annotations that classes need, those that nothing has set. What sets annotations is known of all classes
    #: (`Element.annotations_written`), so `gives` needn't say it.
    unset: frozenset[str] = frozenset()
    #: The annotation by which a class goes, for `takes`.
    needs: str | None = None

    def changed(self, **facts: str | bool | frozenset[str] | None) -> Self:
        return Form(**{**vars(self), **facts})

    def with_set(self, written: Iterable[tuple[int, int]]) -> Self:
        """The same after these bytes of the annotations, (offset, length), may have been set."""
        touched = {byte for offset, length in written for byte in range(offset, offset + length)}
        return self.changed(unset=frozenset(name for name in self.unset if not touched.intersection(range(*_bytes(name)))))

    def lacks(self, wanted: Self) -> Iterator[tuple[str, str | bool]]:
        """What is wanted and contradicts the facts: the fact's name and the value that it should have."""
        for name, value in (("begins", wanted.begins), ("marked", wanted.marked)):
            if value is not None and getattr(self, name) not in (None, value):
                yield name, value
        if wanted.needs in self.unset:
            yield "needs", wanted.needs


def _bytes(name: str) -> tuple[int, int]:
    offset, length = ANNOTATIONS[name]
    return offset, offset + length


ANY = Form()
#: Packets of which nothing is known but that they are new.
NEW = Form(marked=False, unset=frozenset({"DST_IP", "DST_IP6", "IPSEC_SA_DATA_REFERENCE"}))
#: Packets as they come from an Ethernet device.
FRAMES = NEW.changed(begins=ETHERNET)
#: Packets with a marked IP header.
MARKED = Form(marked=True)
