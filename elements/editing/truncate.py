from __future__ import annotations

from clickbpf.args import Bool, Integer, Keyword, Required
from clickbpf.vocabulary.annotations import ANNOTATIONS
from clickbpf.vocabulary.element import Element, field_handlers
from clickbpf.vocabulary.state import Vars, u32


class Truncate(Element):
    """shortens packets

    Synopsis: `Truncate(LENGTH, [EXTRA_LENGTH ...])`

    A packet of more than LENGTH bytes keeps the first LENGTH. How many it loses is added to its EXTRA_LENGTH annotation,
    from which Pad makes it as long again. The kernel path hands over a packet that would become shorter than an Ethernet
    header, 14 bytes.

    Arguments:

      - LENGTH: bytes to keep.
      - EXTRA_LENGTH: false to leave the annotation alone. Default true.

    Ports: one input, one output.

    Handlers:

      - `nbytes` (read, write): LENGTH.

    Example: headers are enough to look at:

        FromDevice(eth0) -> Truncate(64) -> Print(MAXLENGTH -1) -> Discard;
    """

    reconfigurable = True
    args = (Required("LENGTH", Integer()), Keyword("EXTRA_LENGTH", Bool(), True))
    state_types = {"vars": Vars(nbytes=u32)}
    weight = 25

    def initialise(self) -> None:
        self.state.vars.nbytes = self.cfg.length

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return (ANNOTATIONS["EXTRA_LENGTH"],) if self.cfg.extra_length else ()

    nbytes = field_handlers("vars", Integer())
