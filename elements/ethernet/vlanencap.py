from __future__ import annotations

from clickbpf.args import Integer, Keyword, Optional
from clickbpf.vocabulary.element import field_handlers
from clickbpf.vocabulary.state import Vars, be16, s32, u8

from ._vlan import ETHERTYPE_VLAN, NATIVE_VLAN, VLAN_ID, VLAN_PCP, TaggingElement, TCIOrAnno

ETHERTYPE = Integer(16)


class VLANEncap(TaggingElement):
    """puts a VLAN tag into Ethernet frames

    Synopsis: `VLANEncap([VLAN_TCI, VLAN_PCP, KEYWORD ...])`

    The tag's 4 bytes come between the addresses and the type. The frame becomes the MAC header, and what follows it the
    network header. Frames of the native VLAN stay as they are. Frames shorter than an Ethernet header are dropped.

    Arguments:

      - VLAN_TCI: the tag, 16 bits with identifier and priority; or ANNO, for what each packet's VLAN_TCI annotation says.
      - VLAN_ID: the identifier alone, from 0 to 4095, if VLAN_TCI isn't given. Default 0.
      - VLAN_PCP: the priority, from 0 to 7. Default 0.
      - NATIVE_VLAN: the identifier of the VLAN whose frames have no tag; -1 if there is none. Default 0.
      - ETHERTYPE: the type that announces a tag. Default 0x8100; 0x88a8 is that of service VLANs (802.1ad).

    Ports: one input, one output.

    Handlers:

      - `vlan_tci`, `vlan_id`, `vlan_pcp`, `native_vlan`, `ethertype` (read, write): the arguments. With ANNO, `vlan_id` and
        `vlan_pcp` are empty. A number written to `vlan_tci` is combined with the priority that was set.
      - `config` (read): the arguments as they are now.

    Example:

        FromDevice(eth0) -> VLANEncap(VLAN_ID 7, VLAN_PCP 3) -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("VLAN_TCI", TCIOrAnno()),
        Optional("VLAN_PCP", VLAN_PCP, 0),
        Keyword("VLAN_ID", VLAN_ID, 0),
        Keyword("NATIVE_VLAN", NATIVE_VLAN, 0),
        Keyword("ETHERTYPE", ETHERTYPE, ETHERTYPE_VLAN),
    )
    state_types = {"tag": Vars(tci=be16, protocol=be16, native=s32, annotated=u8)}
    holds = ()
    weight = 60

    def initialise(self) -> None:
        super().initialise()
        self.state.tag.protocol = self.cfg.ethertype

    def arguments(self) -> list[str]:
        ethertype = self.state.tag.protocol
        return super().arguments() + [f"ETHERTYPE {ethertype:#06x}"] * (ethertype != ETHERTYPE_VLAN)

    ethertype = field_handlers("tag", ETHERTYPE, field="protocol")
