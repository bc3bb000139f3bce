from __future__ import annotations

from clickbpf.args import Keyword, Optional

from ._vlan import TCI, VLAN_ID, VLAN_PCP, TagElement


class SetVLANAnno(TagElement):
    """sets the VLAN_TCI annotation

    Synopsis: `SetVLANAnno([VLAN_TCI, VLAN_PCP, VLAN_ID ...])`

    VLANEncap and EtherVLANEncap make a tag of it.

    Arguments:

      - VLAN_TCI: the annotation, 16 bits with identifier and priority.
      - VLAN_PCP: the priority, from 0 to 7. Default 0.
      - VLAN_ID: the identifier alone, from 0 to 4095, if VLAN_TCI isn't given. Default 0.

    Ports: one input, one output.

    Handlers:

      - `vlan_tci`, `vlan_id`, `vlan_pcp` (read, write): the arguments. What is written to `vlan_tci` is combined with the
        priority that was set.
      - `config` (read): the arguments as they are now.

    Example:

        FromDevice(eth0) -> SetVLANAnno(VLAN_ID 7, VLAN_PCP 3) -> VLANEncap(ANNO) -> Queue -> ToDevice(eth1);
    """

    aliases = ("SetVlanAnno",)
    reconfigurable = True
    args = (Optional("VLAN_TCI", TCI), Optional("VLAN_PCP", VLAN_PCP, 0), Keyword("VLAN_ID", VLAN_ID, 0))
    annotations = ("VLAN_TCI",)
    weight = 15
