from clickbpf.declare import Anno, ArgError, EtherAddress, Keyword, Optional, Word

from ._etheraddress import AddressElement
from ._etheroffset import ether_offset


class StoreEtherAddress(AddressElement, ports="1/1-2", processing="a/ah"):
    """writes an Ethernet address into packets

    Synopsis: `StoreEtherAddress(ADDR, OFFSET)`, `StoreEtherAddress(OFFSET ..., ANNO ...)`

    A packet too short for the address leaves unchanged by output 1, or is dropped if it isn't connected.

    Example: FromDevice(eth0) -> StoreEtherAddress(2:2:2:2:2:2, src) -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("ADDR", EtherAddress(), text="the address; or"),
        Optional("OFFSET", Word(), text="bytes from the packet's start, or `src` or `dst` for those of an Ethernet header"),
        Keyword("ANNO", Anno(6), text="an annotation of 6 bytes, by its offset, with the address for each packet"),
    )
    derived = {
        "at": ("__u32", lambda self: self.at),
        "annotated": ("bool", lambda self: self.cfg.anno is not None),
        "anno": ("__u32", lambda self: self.cfg.anno or 0),
    }

    def configure(self) -> None:
        cfg = self.cfg
        if cfg.offset is None:
            raise ArgError("OFFSET is missing", "bytes from the packet's start, src or dst")
        if (cfg.addr is None) == (cfg.anno is None):
            raise ArgError("must specify exactly one of ADDR/ANNO")
        self.at = ether_offset(cfg.offset)
