from clickbpf.declare import Anno, EtherAddress, Reconfigurable, Required

from ._etheraddress import AddressElement


class SetEtherAddress(Reconfigurable, AddressElement):
    """sets annotations to an Ethernet address

    Example: the destination is known before the header is made:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> SetEtherAddress(3:3:3:3:3:3, 20)
            -> EtherEncap(0x0800, 2:2:2:2:2:2, 0:0:0:0:0:0) -> StoreEtherAddress(OFFSET dst, ANNO 20) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("ADDR", EtherAddress(), "the address"),
        Required("ANNO", Anno(6, is_set=True), "an annotation of 6 bytes, by its offset"),
    )
