from clickbpf.declare import Bool, Element, Integer, Keyword, Optional

from ._vlan import ETHERTYPE_VLAN


class VLANDecap(Element):
    """removes the VLAN tag of Ethernet frames

    Frames without a tag stay as they are. The MAC header annotation is set to the Ethernet header, the network header annotation
    after it. Frames shorter than their Ethernet header are dropped.

    Example: FromDevice(eth0) -> VLANDecap -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("ANNO", Bool(), True, "whether to set the VLAN_TCI annotation to the tag; to 0 if there was none"),
        Keyword("ETHERTYPE", Integer(16), ETHERTYPE_VLAN, "the ethertype of a tag. Default 0x8100; 0x88a8 is for service VLANs (802.1ad)"),
    )
    annotations = ("VLAN_TCI",)
