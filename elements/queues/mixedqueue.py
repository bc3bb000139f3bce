from clickbpf.declare import NONE

from .queue import Queue


class MixedQueue(Queue, ports="2/1-2", traits=NONE):
    """stores packets in a queue that is FIFO for one input and LIFO for the other

    Packets from input 0 are added at the end, packets from input 1 at the front. When CAPACITY packets are waiting, a packet from
    input 0 is dropped; a packet from input 1 replaces the last one in the queue. Dropped packets leave by output 1, if connected.
    Sources don't sleep while the queue is full.

    Example: ARP overtakes everything else:

        FromDevice(eth0) -> c :: Classifier(12/0806, -);
        c[0] -> [1]q :: MixedQueue;
        c[1] -> [0]q;
        q -> ToDevice(eth1);
    """

    aliases = ()
