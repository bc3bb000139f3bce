from __future__ import annotations

from clickbpf.args import Optional
from clickbpf.args.types.quantity import unparse_time
from clickbpf.vocabulary.element import USER, Element, read_handler, write_handler
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Private, u64

from ..sources.timedsource import HALF_A_SECOND, INTERVAL, parse_interval


class TimedSink(Element):
    """pulls and drops packets at regular intervals

    Synopsis: `TimedSink([INTERVAL])`

    Pulls one packet each INTERVAL, if there is one, and drops it.

    Arguments:

      - INTERVAL: a time, in seconds where no unit is given. Default 500ms.

    Ports: one pull input.

    Handlers:

      - `interval` (read, write): INTERVAL, valid after the next packet.

    Example:

        FromDevice(eth0) -> Queue -> TimedSink(100ms);
    """

    ports = "1/0"
    processing = "l"
    runs = USER
    entries = ("init", "timer")
    args = (Optional("INTERVAL", INTERVAL, HALF_A_SECOND),)
    state_types = {"sink": Private(interval=u64, due=u64)}
    holds = (Held("when it pulls next", ANEW, ANEW),)

    def initialise(self) -> None:
        self.state.sink.interval = self.cfg.interval

    @read_handler("interval")
    def read_interval(self) -> str:
        return unparse_time(self.state.sink.interval)

    @write_handler("interval")
    def write_interval(self, text: str) -> None:
        self.state.sink.interval = parse_interval(text)
