from __future__ import annotations

from collections.abc import Iterable

from clickbpf.args import Anno, ArgError, Integer, Required
from clickbpf.vocabulary.element import Element, field_handlers, read_handler
from clickbpf.vocabulary.state import Vars, u8

BYTE = Integer(8)


class SetAnnoByte(Element):
    """sets a byte of packets' annotations

    Synopsis: `SetAnnoByte(ANNO, VALUE)`

    The old name of what Paint(VALUE, ANNO) does.

    Arguments:

      - ANNO: an annotation of one byte, by name or offset.
      - VALUE: a number from 0 to 255.

    Ports: one input, one output.

    Handlers:

      - `anno` (read): ANNO as an offset.
      - `value` (read, write): VALUE.

    Example:

        FromDevice(eth0) -> SetAnnoByte(PAINT, 3) -> CheckPaint(3) -> Discard;
    """

    reconfigurable = True
    args = (Required("ANNO", Anno(1)), Required("VALUE", BYTE))
    state_types = {"vars": Vars(value=u8)}
    weight = 15

    def warnings(self) -> Iterable[ArgError]:
        yield ArgError("SetAnnoByte(ANNO, VALUE) is obsolete, use Paint(VALUE, ANNO) instead")

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return ((self.cfg.anno, 1),)

    @read_handler
    def anno(self) -> str:
        return str(self.cfg.anno)

    value = field_handlers("vars", BYTE)
