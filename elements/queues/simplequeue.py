from clickbpf.declare import ELIDABLE, TWO_SIDED

from .queue import Queue


class SimpleQueue(Queue, traits=ELIDABLE | TWO_SIDED):
    """stores packets in a FIFO queue, and lets sources push when it is full

    Like Queue, but InfiniteSources and Unqueues continue to push when it is full, and their packets are dropped. NotifierQueue is
    another name for the class.

    Example: FromDevice(eth0) -> SimpleQueue(200) -> ToDevice(eth1);
    """

    aliases = ("NotifierQueue",)
