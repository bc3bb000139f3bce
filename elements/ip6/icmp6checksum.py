from ._setchecksum import MANUAL, SetChecksum6


class ICMP6Checksum(SetChecksum6):
    __doc__ = MANUAL.format(name="ICMP6Checksum", protocol="ICMPv6", more="")
    protocol, least, at = 58, 4, 2
