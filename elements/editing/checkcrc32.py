from ._crc import CrcElement


class CheckCRC32(CrcElement):
    """drops packets whose CRC-32 is wrong

    Removes the four bytes that SetCRC32 appended, if they are correct. Other packets are dropped, with a line on standard error.

    Example: FromDevice(eth1) -> Strip(14) -> CheckCRC32 -> Queue -> ToDevice(eth0);
    """
