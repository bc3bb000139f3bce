from clickbpf.declare import Bool, Integer, Keyword, Optional, Reconfigurable


class Pad(Reconfigurable):
    """makes packets longer

    A packet shorter than LENGTH gets bytes at its end. Without LENGTH, or if that is 0, it gets as many as its
    EXTRA_LENGTH annotation says, which Truncate sets. Either way the annotation is 0 afterwards. The kernel path hands
    over packets that have to grow; long enough ones pass.

    Example: frames of the least length that Ethernet allows:

        FromDevice(eth0) -> Pad(60) -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("LENGTH", Integer(), 0, "bytes that packets have at least"),
        Keyword("ZERO", Bool(), True, "false to leave the new bytes as they are in memory: faster, but they may be another packet's"),
    )
    annotations = ("EXTRA_LENGTH",)
