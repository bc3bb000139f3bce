from clickbpf.declare import (
    BEARS_OFFLOADS, KEPT, KERNEL, LOST, PASSES, SAME, USER, Bool, DeviceName, Element, Form, Held, Integer, Keyword, Optional, PerThread,
    Private, Required, Self, Word, ptr, reset_handler, sum_handler, u64,
)

from ._device import COMING_AND_GOING, begins, refuse_coming_and_going


class ToDevice(Element, ports="1/0-2", processing="l/h", traits=BEARS_OFFLOADS | PASSES):
    """sends packets to a network device

    Pulls packets, which must have their link header, and sends them by DEVNAME. It sleeps while there are none. On an L3 device
    (FromDevice) packets must begin with their IP header; others are dropped, for the reason DEVICE. Sent packets leave by output 0,
    and packets that couldn't be sent by output 1, if these are connected.

    Example: FromDevice(eth0) -> Queue -> ToDevice(eth1);
    """

    wakes = ("timer",)
    args = (
        Required("DEVNAME", DeviceName(), "The device"),
        Optional("BURST", Integer(32, low=1), 32, "Integer. The most packets to pull at a time"),
        Keyword("METHOD", Word(), text="Accepted, but has no effect"),
        Keyword("DEBUG", Bool(), False, SAME),
        Keyword("QUEUE", Integer(32), text=SAME),
        Keyword("NO_PAD", Bool(), False, SAME),
        Keyword("QUIET", Bool(), False, SAME),
        *COMING_AND_GOING,
    )
    state_types = {"counters": PerThread(count=u64, drops=u64), "output": Private(waiting=ptr)}
    holds = (Held("a packet that the device has no room for", KEPT, LOST),)

    def configure(self) -> None:
        refuse_coming_and_going(self.cfg)
        #: The kernel's transmit rings don't report a packet's fate.
        self.runs = USER if self.noutputs else KERNEL

    @property
    def takes(self) -> tuple[Form, ...]:
        return (Form(begins=begins(self.cfg.devname)),)

    def sends_to(self) -> str | None:
        return self.cfg.devname

    def take_state(self, before: Self) -> None:
        """Take the packet that the device had no room for."""
        own, old = self.state.output, before.state.output
        own.waiting, old.waiting = old.waiting or 0, 0
        self.runtime.adopt_packets(before, int(bool(own.waiting)))

    count = sum_handler("counters", text="packets sent")
    drops = sum_handler("counters", text="packets that the device refused")
    reset_counts = reset_handler("counters", text="sets the counts to 0.")
