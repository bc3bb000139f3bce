from clickbpf.declare import BEARS_OFFLOADS, PASSES, Anno, Integer, Optional, Reconfigurable, Required

from ._paint import PAINT2


class Paint2(Reconfigurable, traits=BEARS_OFFLOADS | PASSES):
    """sets an annotation of two bytes

    A class of FastClick: Paint with two bytes for the colour.

    Example: packets remember which of 1000 tenants they belong to:

        FromDevice(eth0) -> Paint2(700) -> Discard;
    """

    args = (
        Required("COLOR", Integer(16), "a number from 0 to 65535", setting=True),
        Optional("ANNO", Anno(2, is_set=True), PAINT2, "an annotation of two bytes, by name or offset. Default is that at offset 16"),
    )
