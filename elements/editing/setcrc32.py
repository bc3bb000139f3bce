from ._crc import CrcElement


class SetCRC32(CrcElement):
    """appends a CRC-32 to packets

    Four bytes follow each packet: a cyclic redundancy check with Ethernet's polynomial over all its bytes, in host byte order. The
    initial value is all ones, but the CRC isn't reflected or inverted, so it is no Ethernet FCS.

    Example: packets cross a line that may damage them:

        FromDevice(eth0) -> SetCRC32 -> EtherEncap(0x88b5, 2:2:2:2:2:2, 3:3:3:3:3:3) -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> Strip(14) -> CheckCRC32 -> Queue -> ToDevice(eth0);
    """
