from __future__ import annotations

from clickbpf.args import Integer, Optional
from clickbpf.vocabulary.element import PUSH_TO_PULL, USER, Element, read_handler
from clickbpf.vocabulary.held import COUNTED, LOST, Held
from clickbpf.vocabulary.state import PerThread, Private, ptr, u32, u64


class CPUQueue(Element):
    """stores packets in a FIFO queue for each thread

    Synopsis: `CPUQueue([CAPACITY])`

    A packet waits in the queue of the thread that pushes it. Pulls take from the threads' queues in turn; packets of
    one thread stay in order. A packet that finds its queue full is dropped.

    Arguments:

      - CAPACITY: Integer. Packets that may wait for each thread. Default is 128.

    Ports: one push input, one or more pull outputs.

    Handlers: `capacity`, and `drops`, packets dropped (both read-only).

    Example:

        FromDevice(eth0) -> CPUQueue(500) -> ToDevice(eth1);
    """

    ports = "1/1-"
    processing = PUSH_TO_PULL
    runs = USER
    entries = ("pull", "cleanup")
    args = (Optional("CAPACITY", Integer(32, high=1 << 24), 128),)
    state_types = {"rings": PerThread(packets=ptr, first=u32, length=u32, drops=u64), "turn": Private(next=u32)}
    holds = (Held("packets that wait", COUNTED, LOST),)

    @read_handler
    def capacity(self) -> str:
        return str(self.cfg.capacity)

    @read_handler
    def drops(self) -> str:
        return str(self.state.rings.sum("drops"))
