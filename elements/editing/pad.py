from clickbpf.declare import Bool, Integer, Keyword, Optional, Reconfigurable


class Pad(Reconfigurable):
    """makes packets longer

    A packet shorter than LENGTH is extended at its end. Without LENGTH, or if that is 0, its EXTRA_LENGTH annotation, which
    Truncate sets, says by how many bytes. Either way the annotation is 0 afterwards. The kernel path hands over packets to extend.

    Example: frames of the least length that Ethernet allows:

        FromDevice(eth0) -> Pad(60) -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("LENGTH", Integer(), 0, "the least length"),
        Keyword("ZERO", Bool(), True, "false to leave the new bytes as they are in memory: faster, but they may be another packet's"),
    )
    annotations = ("EXTRA_LENGTH",)
