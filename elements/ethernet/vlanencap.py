from clickbpf.declare import Integer, Keyword, Optional, Vars, be16, field_handlers, s32, u8

from ._vlan import ETHERTYPE_VLAN, NATIVE_VLAN, VLAN_ID, VLAN_PCP, TaggingElement, TCIOrAnno

ETHERTYPE = Integer(16)


class VLANEncap(TaggingElement):
    """inserts a VLAN tag into Ethernet frames

    The tag's 4 bytes go between the addresses and the type. The MAC header annotation is set to the Ethernet header, the network
    header annotation after it. Frames of the native VLAN get no tag. Frames shorter than an Ethernet header are dropped.

    Handlers:

      - `vlan_tci`, `vlan_id`, `vlan_pcp`, `native_vlan`, `ethertype` (read, write): the arguments. With ANNO, `vlan_id` and
        `vlan_pcp` are empty. A number written to `vlan_tci` is combined with the current priority.

    Example: FromDevice(eth0) -> VLANEncap(VLAN_ID 7, VLAN_PCP 3) -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("VLAN_TCI", TCIOrAnno(), text="the tag, 16 bits with identifier and priority; or ANNO for each packet's VLAN_TCI "
            "annotation"),
        Optional("VLAN_PCP", VLAN_PCP, 0, "the priority, from 0 to 7"),
        Keyword("VLAN_ID", VLAN_ID, 0, "the identifier alone, from 0 to 4095, if VLAN_TCI isn't given"),
        Keyword("NATIVE_VLAN", NATIVE_VLAN, 0, "the identifier of the VLAN whose frames have no tag; -1 if there is none"),
        Keyword("ETHERTYPE", ETHERTYPE, ETHERTYPE_VLAN, "the ethertype of a tag. Default 0x8100; 0x88a8 is for service VLANs (802.1ad)"),
    )
    state_types = {"tag": Vars(tci=be16, protocol=be16, native=s32, annotated=u8)}
    holds = ()

    def initialise(self) -> None:
        super().initialise()
        self.state.tag.protocol = self.cfg.ethertype

    def arguments(self) -> list[str]:
        ethertype = self.state.tag.protocol
        return super().arguments() + [f"ETHERTYPE {ethertype:#06x}"] * (ethertype != ETHERTYPE_VLAN)

    ethertype = field_handlers("tag", ETHERTYPE, field="protocol")
