from clickbpf.declare import NONE

from .queue import Queue


class FrontDropQueue(Queue, traits=NONE):
    """stores packets in a FIFO queue that drops from its front

    Like Queue, but a packet that arrives when CAPACITY packets are waiting replaces the oldest one, which leaves by output 1, or is
    dropped if it isn't connected. Sources don't sleep while the queue is full.

    Handlers: those of Queue: `length`, `highwater_length`, `capacity` (read/write; a smaller capacity keeps the newest packets),
    `drops`, `reset_counts`, `reset`.

    Example: FromDevice(eth0) -> FrontDropQueue(200) -> ToDevice(eth1);
    """

    aliases = ()
