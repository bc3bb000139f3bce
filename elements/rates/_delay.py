"""The base of DelayShaper and DelayUnqueue: delay packets until their timestamp plus DELAY."""

from clickbpf.declare import KEPT, LOST, USER, Element, Held, Private, Required, Self, Time, field_handlers, ptr, u64


class DelayElement(Element, runs=USER):
    """Holds at most one packet; the others wait upstream."""

    same_form = True
    args = (Required("DELAY", Time(), "Time"),)
    #: `waiting`: the packet, its timestamp set to the departure time; `delay`: in ns.
    state_types = {"delay": Private(waiting=ptr, delay=u64)}
    holds = (Held("packets that wait", KEPT, LOST),)

    def take_state(self, before: Self) -> None:
        """Take the waiting packet with its departure time."""
        own, old = self.state.delay, before.state.delay
        own.waiting, old.waiting = old.waiting or 0, 0
        self.runtime.adopt_packets(before, int(bool(own.waiting)))

    delay = field_handlers("delay", Time(), wrong="delay must be a timestamp", text="DELAY, for later packets")
