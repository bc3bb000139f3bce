"""AdjustTimestamp: a wrong clock put right."""

from __future__ import annotations

from clickbpf.args import Bool, Keyword, Optional
from clickbpf.vocabulary.annotations import ANNOTATIONS
from clickbpf.vocabulary.element import KERNEL, USER, Element, field_handlers
from clickbpf.vocabulary.state import Vars, s64

from ._time import SPAN


class AdjustTimestamp(Element):
    """adds to packets' timestamp

    Synopsis: `AdjustTimestamp(TIME, [FIRST ..., ALL ...])`

    It runs in user space, where timestamps are kept, unless FIRST is true.

    Arguments:

      - TIME: what to add, in seconds or with a unit (`-20ms`). Default 0.
      - FIRST: true to change the annotation FIRST_TIMESTAMP, and not the timestamp. Default false.
      - ALL: true to change timestamps that are 0, which means that there is none, as well. Default false.

    Ports: one input, one output.

    Handlers:

      - `time` (read, write): TIME.

    Example:

        FromDevice(eth0) -> AdjustTimestamp(-1h) -> Print(TIMESTAMP true) -> Discard;
    """

    runs = USER
    args = (Optional("TIME", SPAN, 0), Keyword("FIRST", Bool(), False), Keyword("ALL", Bool(), False))
    state_types = {"vars": Vars(time=s64)}
    weight = 15

    def configure(self) -> None:
        if self.cfg.first:
            self.runs = KERNEL

    def initialise(self) -> None:
        self.state.vars.time = self.cfg.time

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return (ANNOTATIONS["FIRST_TIMESTAMP"],) if self.cfg.first else ()

    time = field_handlers("vars", SPAN)
