from clickbpf.declare import ArgError, Integer, Optional, Reconfigurable


class StripEtherVLANHeader(Reconfigurable, ports="1/1-2", processing="a/ah"):
    """removes the Ethernet header, with or without a VLAN tag

    For frames of type 0x8100, removes 18 bytes and sets the VLAN_TCI annotation to the tag. For other frames, removes 14 bytes and
    sets the annotation to NATIVE_VLAN. Frames shorter than their header are dropped.

    Example: FromDevice(eth0) -> StripEtherVLANHeader(-1) -> CheckIPHeader -> Discard;
    """

    aliases = ("StripEtherVlanHeader",)
    args = (
        Optional("NATIVE_VLAN", Integer(signed=True), 0, "the VLAN of frames without a tag. If it is negative, they leave by output 1, or "
            "are dropped if it isn't connected"),
    )
    annotations = ("VLAN_TCI",)

    def configure(self) -> None:
        if self.cfg.native_vlan > 0xFFF:
            raise ArgError("bad NATIVE_VLAN", "VLANs are numbered up to 4095", argument="NATIVE_VLAN")
