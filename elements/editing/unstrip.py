from __future__ import annotations

from clickbpf.args import Integer, Required
from clickbpf.vocabulary.alignment import AlignmentRule
from clickbpf.vocabulary.element import Element


class Unstrip(Element):
    """adds bytes at the start of packets

    Synopsis: `Unstrip(LENGTH)`

    Bytes that were removed by Strip come back as they were; others have no particular value. FlowUnstrip of FastClick
    is another name of the class.

    Arguments:

      - LENGTH: how many bytes.

    Ports: one input, one output.

    Example: an Ethernet header set aside while IP elements look at the packet:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    bears_offloads = True
    aliases = ("FlowUnstrip",)
    args = (Required("LENGTH", Integer()),)
    weight = 20

    @property
    def alignment(self) -> AlignmentRule:
        return AlignmentRule(moves=-self.cfg.length)
