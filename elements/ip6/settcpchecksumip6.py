from ._setchecksum import MANUAL, SetChecksum6


class SetTCPChecksumIP6(SetChecksum6):
    __doc__ = MANUAL.format(name="SetTCPChecksumIP6", protocol="TCP", more="")
    protocol, least, at = 6, 20, 16
