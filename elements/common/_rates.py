"""Arguments of elements that limit a rate: packets or bytes per second, within Click's 32 bits."""

from clickbpf.declare import NOWHERE, Bandwidth, Context, Integer, Rate, frozen

PACKETS = Rate(32)


@frozen
class Bandwidth32(Bandwidth):
    """A bandwidth of 32 bits; value int in bytes per second."""

    c_type = "__u32"

    def parse(self, text: str, context: Context = NOWHERE) -> int:
        return Integer(32).check(super().parse(text, context))


BYTES = Bandwidth32()
