from clickbpf.declare import Keyword, Optional, Reconfigurable

from ._vlan import TCI, VLAN_ID, VLAN_PCP, TagElement


class SetVLANAnno(Reconfigurable, TagElement):
    """sets the VLAN_TCI annotation

    VLANEncap and EtherVLANEncap use it for tags.

    Handlers:

      - `vlan_tci`, `vlan_id`, `vlan_pcp` (read, write): the arguments. A number written to `vlan_tci` is combined with the current
        priority.

    Example: FromDevice(eth0) -> SetVLANAnno(VLAN_ID 7, VLAN_PCP 3) -> VLANEncap(ANNO) -> Queue -> ToDevice(eth1);
    """

    aliases = ("SetVlanAnno",)
    args = (
        Optional("VLAN_TCI", TCI, text="the annotation, 16 bits with identifier and priority"),
        Optional("VLAN_PCP", VLAN_PCP, 0, "the priority, from 0 to 7"),
        Keyword("VLAN_ID", VLAN_ID, 0, "the identifier alone, from 0 to 4095, if VLAN_TCI isn't given"),
    )
    annotations = ("VLAN_TCI",)
