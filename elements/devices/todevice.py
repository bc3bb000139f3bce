from __future__ import annotations

from clickbpf.args import Bool, DeviceName, Integer, Keyword, Optional, Required, Word
from clickbpf.vocabulary.element import KERNEL, PASSES, USER, Element, sum_handler, write_handler
from clickbpf.vocabulary.forms import Form
from clickbpf.vocabulary.held import KEPT, LOST, Held
from clickbpf.vocabulary.state import PerThread, Private, ptr, u64

from ._device import COMING_AND_GOING, begins, refuse_coming_and_going


class ToDevice(Element):
    """sends packets to a network device

    Synopsis: `ToDevice(DEVNAME [, BURST, KEYWORD ...])`

    Pulls packets, which must have their link header, and sends them out of DEVNAME. It sleeps while there are none.
    By an L3 device (FromDevice) it sends packets that begin with their IP header; others are drops, for the reason DEVICE.
    Packets that were sent leave by output 0 and those that couldn't be by output 1, if these are connected.

    Arguments:

      - DEVNAME: The device.
      - BURST: Integer. Most packets to pull in one go. Default is 32.
      - METHOD, DEBUG, QUEUE, NO_PAD, QUIET: Accepted, of no effect.

    Handlers: `count`, packets sent; `drops`, packets that the device refused; `reset_counts`.

    Example:

        FromDevice(eth0) -> Queue -> ToDevice(eth1);
    """

    bears_offloads = True
    ports = "1/0-2"
    processing = "l/h"
    entries = ("task", "timer", "init", "cleanup", "gives_up")
    wakes = ("timer",)
    looks = PASSES
    args = (
        Required("DEVNAME", DeviceName()),
        Optional("BURST", Integer(32, low=1), 32),
        Keyword("METHOD", Word()),
        Keyword("DEBUG", Bool(), False),
        Keyword("QUEUE", Integer(32)),
        Keyword("NO_PAD", Bool(), False),
        Keyword("QUIET", Bool(), False),
        *COMING_AND_GOING,
    )
    state_types = {"counters": PerThread(count=u64, drops=u64), "output": Private(waiting=ptr)}
    holds = (Held("a packet that the device has no room for", KEPT, LOST),)
    weight = 40

    def configure(self) -> None:
        refuse_coming_and_going(self.cfg)
        #: The kernel's transmit rings don't report what became of a packet.
        self.runs = USER if self.noutputs else KERNEL

    @property
    def takes(self) -> tuple[Form, ...]:
        return (Form(begins=begins(self.cfg.devname)),)

    def sends_to(self) -> str | None:
        return self.cfg.devname

    def take_state(self, before: ToDevice) -> None:
        """The packet that the device had no room for."""
        own, old = self.state.output, before.state.output
        own.waiting, old.waiting = old.waiting or 0, 0
        self.runtime.adopt_packets(before, int(bool(own.waiting)))

    count = sum_handler("counters")
    drops = sum_handler("counters")

    @write_handler
    def reset_counts(self, text: str) -> None:
        self.state.counters.clear()
