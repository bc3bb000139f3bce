from __future__ import annotations

from ._crc import CrcElement


class CheckCRC32(CrcElement):
    """drops packets whose CRC-32 is wrong

    Synopsis: `CheckCRC32`

    Removes the four bytes that SetCRC32 has appended, if they are right. Other packets are dropped, with a line on standard
    error.

    Ports: one input, one output.

    Example:

        FromDevice(eth1) -> Strip(14) -> CheckCRC32 -> Queue -> ToDevice(eth0);
    """
