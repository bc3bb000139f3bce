"""What DelayShaper and DelayUnqueue have in common: packets that wait until their timestamp and DELAY are over."""

from clickbpf.declare import KEPT, LOST, USER, Element, Held, Private, Required, Self, Time, field_handlers, ptr, u64


class DelayElement(Element, runs=USER):
    """It holds at most one packet; those after it wait where they are pulled from."""

    args = (Required("DELAY", Time(), "Time"),)
    #: `waiting` is the packet, its timestamp the time when it may go on; `delay` in ns.
    state_types = {"delay": Private(waiting=ptr, delay=u64)}
    holds = (Held("packets that wait", KEPT, LOST),)

    def take_state(self, before: Self) -> None:
        """The packet, which keeps its time."""
        own, old = self.state.delay, before.state.delay
        own.waiting, old.waiting = old.waiting or 0, 0
        self.runtime.adopt_packets(before, int(bool(own.waiting)))

    delay = field_handlers("delay", Time(), wrong="delay must be a timestamp", text="DELAY, for packets still to come")
