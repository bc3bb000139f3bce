from clickbpf.declare import (
    COUNTED, LOST, PUSH_TO_PULL, USER, Element, Held, Integer, Optional, PerThread, Private, ptr, read_handler, u32, u64,
)


class CPUQueue(Element, ports="1/1-", processing=PUSH_TO_PULL, runs=USER):
    """stores packets in a FIFO queue for each thread

    A packet waits in the queue of the thread that pushes it, or is dropped if that is full. Pulls take from the threads' queues in
    turn; packets of one thread stay in order.

    Example: FromDevice(eth0) -> CPUQueue(500) -> ToDevice(eth1);
    """

    args = (Optional("CAPACITY", Integer(32, high=1 << 24), 128, "Integer. The size of each thread's queue, in packets"),)
    state_types = {"rings": PerThread(packets=ptr, last=u32, first=u32, drops=u64), "turn": Private(next=u32)}
    holds = (Held("packets that wait", COUNTED, LOST),)

    capacity = read_handler(lambda self: str(self.cfg.capacity))
    drops = read_handler(lambda self: str(self.state.rings.sum("drops")), text="packets dropped")
