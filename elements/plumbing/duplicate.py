from clickbpf.declare import Bool, Keyword

from .tee import Tee


class Duplicate(Tee):
    """sends a copy of each packet to every output, data included

    A class of FastClick, where the copies of a Tee share their bytes until one of them is changed, and those of a Duplicate don't.
    Here no copies share bytes, and it does what Tee does.

    Example:

        FromDevice(eth0) -> d :: Duplicate;
        d[0] -> Queue -> ToDevice(eth1);
        d[1] -> Queue -> ToDevice(eth2);
    """

    args = (
        *Tee.args,
        Keyword("DATA_ONLY", Bool(), True, "Boolean. Accepted, of no effect. It says whether what lies in memory before and after the "
            "packet is copied, too"),
    )
