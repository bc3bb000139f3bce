"""What is known of packets where they enter or leave an element, for the check of a configuration's data flow (graph/dataflow.py)."""

from __future__ import annotations

from collections.abc import Iterator

from clickbpf.frozen import frozen

#: The headers that a packet can begin with: Ethernet's, or that of a network protocol such as IP.
ETHERNET, NETWORK = "ethernet", "network"


@frozen
class Form:
    """Facts about packets, or what a class needs of them; None where nothing is known, or nothing is needed."""

    #: The header that the packet begins with: ETHERNET or NETWORK.
    begins: str | None = None
    #: Whether the network header annotation is set, as CheckIPHeader sets it.
    marked: bool | None = None
    #: Whether the annotation DST_IP is set, by which routing tables and ARPQuerier go.
    addressed: bool | None = None

    def changed(self, **facts: str | bool | None) -> Form:
        return Form(**{**vars(self), **facts})

    def lacks(self, wanted: Form) -> Iterator[str]:
        """The names of the facts that contradict what is wanted."""
        for name, value in vars(wanted).items():
            known = getattr(self, name)
            if value is not None and known is not None and known != value:
                yield name


ANY = Form()
#: Packets as they come from an Ethernet device.
FRAMES = Form(ETHERNET, False, False)
#: Packets with a marked IP header.
MARKED = Form(marked=True)
