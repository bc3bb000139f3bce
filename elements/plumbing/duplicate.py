from clickbpf.declare import Bool, Keyword

from .tee import Tee


class Duplicate(Tee):
    """sends a copy of each packet to every output, data included

    A class of FastClick, where a Tee's copies share their bytes until one is changed, and a Duplicate's don't. Here copies never
    share bytes, so it does the same as Tee.

    Example:

        FromDevice(eth0) -> d :: Duplicate;
        d[0] -> Queue -> ToDevice(eth1);
        d[1] -> Queue -> ToDevice(eth2);
    """

    args = (
        *Tee.args,
        Keyword("DATA_ONLY", Bool(), True, "Boolean. Accepted, without effect. In FastClick: copy the packet's bytes only, not the "
            "memory around them"),
    )
