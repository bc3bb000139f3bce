"""What DelayShaper and DelayUnqueue have in common: packets that wait until their timestamp and DELAY are over."""

from __future__ import annotations

from clickbpf.args import ArgError, Required, Time
from clickbpf.vocabulary.element import USER, Element, read_handler, write_handler
from clickbpf.vocabulary.state import Private, ptr, u64


class DelayElement(Element):
    """It holds at most one packet; those after it wait where they are pulled from."""

    runs = USER
    args = (Required("DELAY", Time()),)
    #: `waiting` is the packet, its timestamp the time when it may go on; `delay` in ns.
    state_types = {"delay": Private(waiting=ptr, delay=u64)}

    def initialise(self) -> None:
        self.state.delay.delay = self.cfg.delay

    @read_handler("delay")
    def read_delay(self) -> str:
        return Time().unparse(self.state.delay.delay)

    @write_handler("delay")
    def write_delay(self, text: str) -> None:
        try:
            self.state.delay.delay = Time().parse(text.strip())
        except ArgError as error:
            raise ArgError("delay must be a timestamp", error.message) from None
