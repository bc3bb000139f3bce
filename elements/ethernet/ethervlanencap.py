from clickbpf.declare import (
    SAME, EtherAddress, Integer, Keyword, Optional, Reconfigurable, Required, Vars, be16, ether, field_handlers, s32, u8,
)

from ._vlan import ETHERTYPE_VLAN, NATIVE_VLAN, VLAN_ID, VLAN_PCP, TaggingElement, TCIOrAnno

ETHERTYPE = Integer(16)


class EtherVLANEncap(Reconfigurable, TaggingElement):
    """puts packets into an Ethernet header with a VLAN tag

    The new header has 18 bytes; the MAC header annotation is set to it, the network header annotation after it. Packets of the
    native VLAN get a header without a tag.

    Handlers:

      - `src`, `dst`, `ethertype`, `vlan_tci`, `vlan_id`, `vlan_pcp`, `native_vlan` (read, write): the arguments. With ANNO,
        `vlan_id` and `vlan_pcp` are empty. A number written to `vlan_tci` is combined with the current priority.
      - `config` (read): the current arguments. (Click shows them in an order that it can't read itself.)

    Example:

        FromDevice(eth0) -> Strip(14)
            -> EtherVLANEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02, VLAN_ID 7, VLAN_PCP 3) -> Queue -> ToDevice(eth1);
    """

    aliases = ("EtherVlanEncap",)
    args = (
        Required("ETHERTYPE", ETHERTYPE, "the type of the payload, such as 0x0800; the frame's own type is 0x8100"),
        Required("SRC", EtherAddress(), "Ethernet addresses", setting="tag"),
        Required("DST", EtherAddress(), SAME, setting="tag"),
        Optional("VLAN_TCI", TCIOrAnno(), text="the tag, 16 bits with identifier and priority; or ANNO for each packet's VLAN_TCI "
            "annotation"),
        Optional("VLAN_PCP", VLAN_PCP, 0, "the priority, from 0 to 7"),
        Keyword("VLAN_ID", VLAN_ID, 0, "the identifier alone, from 0 to 4095, if VLAN_TCI isn't given"),
        Keyword("NATIVE_VLAN", NATIVE_VLAN, 0, "the identifier of the VLAN whose frames have no tag; -1 if there is none"),
    )
    state_types = {"tag": Vars(dst=ether, src=ether, protocol=be16, tci=be16, type=be16, native=s32, annotated=u8)}
    holds = ()
    weight = 80

    def initialise(self) -> None:
        super().initialise()
        tag = self.state.tag
        tag.dst[:], tag.src[:], tag.protocol, tag.type = self.cfg.dst, self.cfg.src, ETHERTYPE_VLAN, self.cfg.ethertype

    def arguments(self) -> list[str]:
        tag, address = self.state.tag, EtherAddress().from_field
        return [str(tag.type), str(address(tag.src)), str(address(tag.dst)), *super().arguments()]

    ethertype = field_handlers("tag", ETHERTYPE, field="type")
