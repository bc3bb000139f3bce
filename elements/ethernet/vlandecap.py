from clickbpf.declare import Bool, Element, Integer, Keyword, Optional

from ._vlan import ETHERTYPE_VLAN


class VLANDecap(Element):
    """takes the VLAN tag out of Ethernet frames

    Frames without a tag stay as they are. The frame becomes the MAC header, and what follows it the network header.
    Frames shorter than their Ethernet header are dropped.

    Example:

        FromDevice(eth0) -> VLANDecap -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("ANNO", Bool(), True, "whether to set the VLAN_TCI annotation to the tag; to 0 if there was none"),
        Keyword("ETHERTYPE", Integer(16), ETHERTYPE_VLAN, "the type that announces a tag. Default 0x8100; 0x88a8 is that of service VLANs "
            "(802.1ad)"),
    )
    annotations = ("VLAN_TCI",)
