from __future__ import annotations

from clickbpf.args import Bool, Keyword, Optional
from clickbpf.vocabulary.annotations import CARRIED
from clickbpf.vocabulary.element import Element, field_handlers
from clickbpf.vocabulary.state import Vars, s64

from ._time import SPAN


class AdjustTimestamp(Element):
    """adds to packets' timestamp

    Synopsis: `AdjustTimestamp(TIME, [FIRST ..., ALL ...])`

    Arguments:

      - TIME: what to add, in seconds or with a unit (`-20ms`). Default 0.
      - FIRST: true to change the annotation FIRST_TIMESTAMP, and not the timestamp. Default false.
      - ALL: true to also change timestamps that are 0, which stands for none. Default false.

    Ports: one input, one output.

    Handlers:

      - `time` (read, write): TIME.

    Example:

        FromDevice(eth0) -> AdjustTimestamp(-1h) -> Print(TIMESTAMP true) -> Discard;
    """

    bears_offloads = True
    args = (Optional("TIME", SPAN, 0), Keyword("FIRST", Bool(), False), Keyword("ALL", Bool(), False))
    state_types = {"vars": Vars(time=s64)}
    weight = 15

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return (CARRIED["FIRST_TIMESTAMP" if self.cfg.first else "TIMESTAMP"],)

    time = field_handlers("vars", SPAN)
