from clickbpf.declare import PULL

from .null import Null


class PullNull(Null, processing=PULL):
    """passes pulled packets unchanged

    A Null whose ports are pull: a push path through it is an error.

    Example: FromDevice(eth0) -> Queue -> PullNull -> ToDevice(eth1);
    """

    aliases = ()
