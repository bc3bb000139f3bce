from __future__ import annotations

from clickbpf.args import Integer, Required
from clickbpf.vocabulary.element import Element


class GetIP6Address(Element):
    """copies an IPv6 address from the packet to its destination address annotation

    Synopsis: `GetIP6Address(OFFSET)`

    The 16 bytes at OFFSET become the annotation that elements such as LookupIP6Route and IP6NDSolicitor use. If the packet is too
    short, the annotation becomes `::`. (Click's element reads beyond the packet.)

    Arguments:

      - OFFSET: bytes from the start of the packet to the address; 24 for the destination in an IPv6 packet.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> Strip(14) -> GetIP6Address(24) -> Discard;
    """

    bears_offloads = True
    args = (Required("OFFSET", Integer(32, high=0x7FFFFFFF)),)
    annotations = ("DST_IP6",)
    weight = 30
