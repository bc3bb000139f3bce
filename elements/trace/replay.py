from clickbpf.declare import PULL, Integer, Keyword

from ._replay import ABOUT, HANDLERS, Replaying


class Replay(Replaying, processing=PULL):
    __doc__ = f"""keeps packets, for others to pull again and again

    {ABOUT} Packets are copied when they are pulled.

    Handlers:

      {HANDLERS}

    Example: FromDump(some.pcap) -> Replay(STOP 3) -> Unqueue -> c :: Counter -> Discard;
    """
    args = (*Replaying.args, Keyword("QUEUE", Integer(32), 1024, "accepted, of no effect"))
