from collections.abc import Iterable

from clickbpf.declare import Anno, ArgError, Integer, Reconfigurable, Required, read_handler

BYTE = Integer(8)


class SetAnnoByte(Reconfigurable):
    """sets a byte of packets' annotations

    The old name of what Paint(VALUE, ANNO) does.

    Example: FromDevice(eth0) -> SetAnnoByte(PAINT, 3) -> CheckPaint(3) -> Discard;
    """

    same_form = True
    args = (
        Required("ANNO", Anno(1, is_set=True), "an annotation of one byte, by name or offset"),
        Required("VALUE", BYTE, "a number from 0 to 255", setting="vars"),
    )

    def warnings(self) -> Iterable[ArgError]:
        yield ArgError("SetAnnoByte(ANNO, VALUE) is obsolete, use Paint(VALUE, ANNO) instead")

    anno = read_handler(lambda self: str(self.cfg.anno), text="ANNO as an offset.")
