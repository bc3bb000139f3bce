from __future__ import annotations

from collections.abc import Sequence

from clickbpf.vocabulary.element import PUSH, Element


class Hub(Element):
    """sends copies of each packet to all outputs except the one with its input's number

    Synopsis: `Hub`

    As an Ethernet hub does, whatever the packets are. Lower outputs get theirs first. The kernel path makes the copies under
    the conditions of Tee.

    Ports: any number of push inputs and as many push outputs.

    Example: three segments of one Ethernet:

        hub :: Hub;
        FromDevice(eth0) -> hub -> Queue -> ToDevice(eth0);
        FromDevice(eth1) -> [1]hub[1] -> Queue -> ToDevice(eth1);
        FromDevice(eth2) -> [2]hub[2] -> Queue -> ToDevice(eth2);
    """

    ports = "-/="
    processing = PUSH
    flow = "#/[^#]"
    weight = 15

    bears_offloads = True
    only_copies = True

    def copies(self) -> Sequence[Sequence[int]]:
        """For each input, all outputs but its own."""
        return [[port for port in range(self.noutputs) if port != own] for own in range(self.ninputs)]
