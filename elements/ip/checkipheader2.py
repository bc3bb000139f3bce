from clickbpf.declare import BEARS_OFFLOADS, KEEPS_HEADER, NAMES_ANYWHERE, PARTS_PLAIN, Bool, Keyword

from .checkipheader import CheckIPHeader


class CheckIPHeader2(CheckIPHeader, traits=BEARS_OFFLOADS | PARTS_PLAIN | KEEPS_HEADER | NAMES_ANYWHERE):
    """checks IP headers, but not their checksums

    Synopsis: `CheckIPHeader2([OFFSET, INTERFACES ..., BADSRC ..., GOODDST ..., CHECKSUM ..., VERBOSE ..., DETAILS ...])`

    This is CheckIPHeader with CHECKSUM false by default; see there for arguments, ports and handlers.

    Example: the network card has checked them:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader2 -> Discard;
    """

    args = tuple(Keyword("CHECKSUM", Bool(), False) if argument.name == "CHECKSUM" else argument for argument in CheckIPHeader.args)
