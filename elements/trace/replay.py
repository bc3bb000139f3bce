from __future__ import annotations

from clickbpf.args import Integer, Keyword
from clickbpf.vocabulary.element import PULL

from ._replay import ABOUT, ARGUMENTS, HANDLERS, Replaying


class Replay(Replaying):
    __doc__ = f"""keeps packets, for others to pull again and again

    Synopsis: `Replay([STOP ..., STOP_TIME ..., LIMIT ..., BURST ..., QUEUE ..., ACTIVE ..., VERBOSE ...])`

    {ABOUT} Packets are copied when they are pulled.

    Arguments:

      {ARGUMENTS}
      - QUEUE: accepted, of no effect.

    Ports: one or more pull inputs, one pull output.

    Handlers:

      {HANDLERS}

    Example:

        FromDump(some.pcap) -> Replay(STOP 3) -> Unqueue -> c :: Counter -> Discard;
    """
    processing = PULL
    entries = ("pull", *Replaying.entries)
    args = (*Replaying.args, Keyword("QUEUE", Integer(32), 1024))
