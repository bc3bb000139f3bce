"""What DelayShaper and DelayUnqueue have in common: packets that wait until their timestamp and DELAY are over."""

from __future__ import annotations

from clickbpf.args import Required, Time
from clickbpf.vocabulary.element import USER, Element, field_handlers
from clickbpf.vocabulary.held import KEPT, LOST, Held
from clickbpf.vocabulary.state import Private, ptr, u64


class DelayElement(Element):
    """It holds at most one packet; those after it wait where they are pulled from."""

    runs = USER
    args = (Required("DELAY", Time()),)
    #: `waiting` is the packet, its timestamp the time when it may go on; `delay` in ns.
    state_types = {"delay": Private(waiting=ptr, delay=u64)}
    holds = (Held("packets that wait", KEPT, LOST),)

    def take_state(self, before: DelayElement) -> None:
        """The packet, which keeps its time."""
        own, old = self.state.delay, before.state.delay
        own.waiting, old.waiting = old.waiting or 0, 0
        self.runtime.adopt_packets(before, int(bool(own.waiting)))

    delay = field_handlers("delay", Time(), wrong="delay must be a timestamp")
