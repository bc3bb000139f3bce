from ._crc import CrcElement


class SetCRC32(CrcElement):
    """appends a CRC-32 to packets

    Four bytes follow each packet: a cyclic redundancy check with Ethernet's polynomial over all its bytes, in the machine's
    byte order. It is begun with ones, but not reflected and not inverted, so it is no frame check sequence.

    Example: packets cross a line that may damage them:

        FromDevice(eth0) -> SetCRC32 -> EtherEncap(0x88b5, 2:2:2:2:2:2, 3:3:3:3:3:3) -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> Strip(14) -> CheckCRC32 -> Queue -> ToDevice(eth0);
    """
