import ctypes

from clickbpf.declare import (
    ANEW, ANNOTATIONS, NOWHERE, USER, Anno, ArgError, Context, Element, ElementRef, Held, Integer, Keyword, Type, control_handler,
    read_handler,
)

from ..common._rows import RowsElement
from ..common._table import capacity, copy_rows, refused

NO_NUMBER = -1


class NumberAnno(Type):
    """An annotation of four bytes, or NONE; value its offset, or -1."""

    c_type = "int"

    def parse(self, text: str, context: Context = NOWHERE) -> int:
        return NO_NUMBER if text == "NONE" else Anno(4).parse(text, context)

    def c_value(self, value: int) -> str:
        return str(value)

    def describe(self) -> str:
        return f"{Anno(4).describe()}, or NONE"


class AggregatePacketCounter(Element, ports="1-/1-", flow="#/#", runs=USER):
    """counts packets by aggregate, number and input

    It reports which packets were seen at one place, but not at another. Packets of aggregate 0 aren't counted.

    Ports: any number of inputs and as many outputs; packets leave by the output with their input's number.

    Example:

        c :: AggregatePacketCounter(ANNO NONE);
        FromDump(sent.pcap, FORCE_IP true) -> AggregateIP(ip id) -> [0] c [0] -> Discard;
        FromDump(received.pcap, FORCE_IP true) -> AggregateIP(ip id) -> [1] c [1] -> Discard;
    """

    operations = RowsElement.operations
    args = (
        Keyword("NOTIFIER", ElementRef(), text="an element; accepted and without effect"),
        Keyword("ANNO", NumberAnno(), ANNOTATIONS["PACKET_NUMBER"][0], "the annotation of four bytes that has the packet's number, or "
            "NONE: then all have number 0. Default is PACKET_NUMBER"),
        capacity(1 << 22, "Integer. The most different packets, by aggregate and number; others pass uncounted. Default is 4194304, for "
            "which it takes 200 MB with one or two inputs. (Click's element takes memory without a limit.)"),
    )
    state_types = RowsElement.state_types
    holds = (Held("counts of packets", ANEW, ANEW),)

    def _rows(self) -> dict[tuple[int, int], list[int]]:
        """(aggregate, number) -> how often it arrived at each input."""
        fields = (("packet", ctypes.c_uint64), ("counts", ctypes.c_uint32 * self.ninputs))
        rows = copy_rows(self, self.state.rows.table, type("Row", (ctypes.Structure,), {"_fields_": fields}))
        return {divmod(row.packet, 1 << 32): row.counts[:] for row in rows}

    def _numbers(self, text: str, wanted) -> str:
        aggregate = Integer(32).parse(text.strip()) if text.strip() else 0
        found = sorted(number for (of, number), counts in self._rows().items() if of == aggregate and wanted(counts))
        return "".join(f"{number}\n" for number in found)

    count = read_handler(lambda self: str(sum(map(sum, self._rows().values()))), text="packets that were counted.")

    @read_handler
    def received(self, text: str) -> str:
        """`received 3` lists the numbers of aggregate 3's packets, one a line."""
        return self._numbers(text, any)

    @read_handler
    def undelivered(self, text: str) -> str:
        """the same for packets that arrived more often at input 0 than at input 1."""
        if self.ninputs < 2:
            raise ArgError("undelivered to where? there is one input only")
        return self._numbers(text, lambda counts: counts[0] > counts[1])

    @read_handler
    def no_room(self) -> str:
        """packets that passed uncounted because there were CAPACITY others."""
        return refused(self.state.rows.table)

    clear = control_handler("CLEAR", text="forgets all")
