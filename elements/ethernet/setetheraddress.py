from __future__ import annotations

from clickbpf.args import Anno, EtherAddress, Required

from ._etheraddress import AddressElement


class SetEtherAddress(AddressElement):
    """sets annotations to an Ethernet address

    Synopsis: `SetEtherAddress(ADDR, ANNO)`

    Arguments:

      - ADDR: the address.
      - ANNO: an offset among the annotations with 6 bytes after it.

    Ports: one input, one output.

    Handlers:

      - `addr` (read, write): ADDR.

    Example: where packets go is known before their headers are made:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> SetEtherAddress(3:3:3:3:3:3, 20)
            -> EtherEncap(0x0800, 2:2:2:2:2:2, 0:0:0:0:0:0) -> StoreEtherAddress(OFFSET dst, ANNO 20) -> Queue -> ToDevice(eth1);
    """

    reconfigurable = True
    args = (Required("ADDR", EtherAddress()), Required("ANNO", Anno(6)))
    weight = 20

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return ((self.cfg.anno, 6),)
