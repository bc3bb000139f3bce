from clickbpf.declare import NONE

from .queue import Queue


class FrontDropQueue(Queue, traits=NONE):
    """stores packets in a FIFO queue that drops from its front

    Like Queue, but a packet that finds CAPACITY packets waiting takes the place of the one that has waited longest. That leaves
    by output 1, or is dropped if that isn't connected. Sources don't sleep while it is full.

    Ports: one push input, one pull output, and perhaps a push output for dropped packets.

    Handlers: those of Queue: `length`, `highwater_length`, `capacity` (read/write; of more packets than a smaller
    capacity the last ones stay), `drops`, `reset_counts`, `reset`.

    Example:

        FromDevice(eth0) -> FrontDropQueue(200) -> ToDevice(eth1);
    """

    aliases = ()
