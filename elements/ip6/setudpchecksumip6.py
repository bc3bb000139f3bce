from ._setchecksum import MANUAL, SetChecksum6


class SetUDPChecksumIP6(SetChecksum6):
    __doc__ = MANUAL.format(
        name="SetUDPChecksumIP6",
        protocol="UDP",
        more=" A\n    checksum of 0, which IPv6 doesn't permit, becomes 0xffff.",
    )
    protocol, least, at = 17, 8, 6
