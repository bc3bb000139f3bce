from clickbpf.declare import PUSH

from .null import Null


class PushNull(Null, processing=PUSH):
    """passes pushed packets unchanged

    A Null whose ports are push: a pull path through it is an error.

    Example: FromDevice(eth0) -> PushNull -> Discard;
    """

    aliases = ()
