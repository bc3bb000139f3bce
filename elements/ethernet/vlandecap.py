from __future__ import annotations

from clickbpf.args import Bool, Integer, Keyword, Optional
from clickbpf.vocabulary.element import Element

from ._vlan import ETHERTYPE_VLAN


class VLANDecap(Element):
    """takes the VLAN tag out of Ethernet frames

    Synopsis: `VLANDecap([ANNO, ETHERTYPE ...])`

    Frames without a tag stay as they are. The frame becomes the MAC header, and what follows it the network header.
    Frames shorter than their Ethernet header are dropped.

    Arguments:

      - ANNO: whether to set the VLAN_TCI annotation to the tag; to 0 if there was none. Default true.
      - ETHERTYPE: the type that announces a tag. Default 0x8100; 0x88a8 is that of service VLANs (802.1ad).

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> VLANDecap -> Queue -> ToDevice(eth1);
    """

    args = (Optional("ANNO", Bool(), True), Keyword("ETHERTYPE", Integer(16), ETHERTYPE_VLAN))
    annotations = ("VLAN_TCI",)
    weight = 50
