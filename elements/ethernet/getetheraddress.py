from clickbpf.declare import Anno, Reconfigurable, Required, Word

from ._etheroffset import ether_offset


class GetEtherAddress(Reconfigurable, ports="1/1-2", processing="a/ah"):
    """copies an Ethernet address from the packet to annotations

    A packet too short for the address leaves by output 1, or is dropped if it isn't connected.

    Example: replies to the sender, with new headers:

        FromDevice(eth0) -> GetEtherAddress(20, src) -> Strip(14) -> CheckIPHeader -> ICMPPingResponder
            -> EtherEncap(0x0800, 2:2:2:2:2:2, 0:0:0:0:0:0) -> StoreEtherAddress(OFFSET dst, ANNO 20) -> Queue -> ToDevice(eth0);
    """

    args = (
        Required("ANNO", Anno(6, is_set=True), "an annotation of 6 bytes, by its offset"),
        Required("OFFSET", Word(), "bytes from the packet's start, or `src` or `dst` for those of an Ethernet header"),
    )
    derived = {"at": ("__u32", lambda self: self.at)}

    def configure(self) -> None:
        self.at = ether_offset(self.cfg.offset)
