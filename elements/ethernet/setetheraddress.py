from clickbpf.declare import Anno, EtherAddress, Reconfigurable, Required

from ._etheraddress import AddressElement


class SetEtherAddress(Reconfigurable, AddressElement):
    """sets annotations to an Ethernet address

    Example: where packets go is known before their headers are made:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> SetEtherAddress(3:3:3:3:3:3, 20)
            -> EtherEncap(0x0800, 2:2:2:2:2:2, 0:0:0:0:0:0) -> StoreEtherAddress(OFFSET dst, ANNO 20) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("ADDR", EtherAddress(), "the address"),
        Required("ANNO", Anno(6), "an offset among the annotations with 6 bytes after it"),
    )

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return ((self.cfg.anno, 6),)
