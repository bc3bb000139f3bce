import struct
import sys
from enum import IntEnum
from pathlib import Path

from clickbpf.declare import (
    ANEW, COUNTS_OTHERWISE, KEPT, ArgError, Array, Bool, ClickError, Element, Filename, HandlerName, Held, Integer, Keyword,
    Right, String, Vars, control_handler, field_handlers, read_handler, sum_handler, u8, u32, u64, write_handler,
)

from ..counters.counter import Trigger
from ..tables._index import buckets, index_state

NEVER = (1 << 64) - 1
#: CAPACITY's default and maximum.
DEFAULT, MOST = 1 << 20, 1 << 24


class Limit(IntEnum):
    """What is limited; the argument of `called`."""

    AGGREGATES, COUNT = range(2)


class Action(IntEnum):
    """What happens at a limit."""

    FREEZE, STOP, CALL = range(3)


class AggregateCounter(Element, ports="1-2/1-2", traits=COUNTS_OTHERWISE):
    """counts packets or bytes of each aggregate

    Packets with the same aggregate annotation are counted together. The kernel path counts packets of known aggregates. It hands
    over the first packet of each aggregate, and packets that reach a limit.

    Arguments:

      - AGGREGATE_STOP, AGGREGATE_FREEZE: Integer. At this number of aggregates, stop the driver, or freeze: packets of new
        aggregates are no longer counted.
      - COUNT_STOP, COUNT_FREEZE, COUNT_CALL: the same for the total number of packets or bytes.

    Ports: one or two inputs; packets that arrive on input 1 are counted as if frozen. Counted packets leave by output 0, others by
    output 1 if it is connected.

    Handlers:

      - `banner` (read/write), `aggregate_call`, `count_call` (read/write): as the arguments.

    Example:

        FromDump(trace.pcap, STOP true, FORCE_IP true) -> AggregateIP(ip src/8) -> a :: AggregateCounter -> Discard;
        DriverManager(pause, write a.write_text_file counts.txt, stop);
    """

    same_form = True

    # COUNTS_OTHERWISE: bytes, the packets that a packet represents, or nothing while frozen.
    weight = 350
    enums = (Limit, Action)
    operations = ("CLEAR", "REAGGREGATE")
    args = (
        Keyword("BYTES", Bool(), False, "Boolean. Count bytes, not packets"),
        Keyword("IP_BYTES", Bool(), False, "Boolean. Don't count the bytes before the IP header"),
        Keyword("MULTIPACKET", Bool(), True, "Boolean. Count a packet as all the packets that it represents (annotation EXTRA_PACKETS)"),
        Keyword("EXTRA_LENGTH", Bool(), True, "Boolean. Count bytes that weren't recorded, too (annotation EXTRA_LENGTH)"),
        Keyword("AGGREGATE_FREEZE", Integer(32)),
        Keyword("COUNT_FREEZE", Integer(64)),
        Keyword("AGGREGATE_STOP", Integer(32)),
        Keyword("COUNT_STOP", Integer(64)),
        Keyword("AGGREGATE_CALL", Trigger(), text="`N HANDLER [VALUE]`; when there are N aggregates and another comes, VALUE is written to "
            "the handler"),
        Keyword("COUNT_CALL", Trigger()),
        Keyword("CAPACITY", Integer(32, low=1, high=MOST), DEFAULT, "Integer, up to 16777216. The greatest number of aggregates; packets "
            "of others aren't counted, as if it were frozen. Default is 1048576, for which it takes 24 MB. (Click's element takes memory "
            "without a limit.)"),
        Keyword("BANNER", String(), "", "String. A line for the beginning of the files that are written"),
    )
    #: Pairs (tables/pair.h) are numbered from 1; `used` counts them. `key` is the index's; `outside` counts pairs without room in
    #: the index, `refused` packets without a pair.
    state_types = {
        "pairs": Array(lambda element: element.cfg.capacity + 1, word=u64),
        "buckets": index_state(lambda element: element.cfg.capacity),
        "counts": Vars(
            key=u64 * 2, count=u64, limit=u64 * 2, refused=u64, used=u32, outside=u32, nonzero=u32, action=u8 * 2, frozen=u8, active=u8,
        ),
    }  # fmt: skip
    holds = (Held("counts of aggregates", ANEW, KEPT),)
    derived = {"mask": ("__u32", lambda self: buckets(self.cfg.capacity) - 1)}

    def configure(self) -> None:
        self._banner = self.cfg.banner
        for what in ("AGGREGATE", "COUNT"):
            given = [name for name in ("FREEZE", "STOP", "CALL") if getattr(self.cfg, f"{what}_{name}".lower()) is not None]
            if len(given) > 1:
                raise ArgError(f"'{what}_FREEZE', '{what}_STOP', and '{what}_CALL' are mutually exclusive", argument=f"{what}_{given[1]}")

    def begin(self) -> None:
        self._calls: list[HandlerName | None] = [None, None]

    def initialise(self) -> None:
        self.state.counts.active = True
        for what, name in enumerate(("aggregate", "count")):
            self._set_limit(what, NEVER, Action.FREEZE)
            for action, suffix in ((Action.FREEZE, "freeze"), (Action.STOP, "stop")):
                number = getattr(self.cfg, f"{name}_{suffix}")
                if number is not None:
                    self._set_limit(what, number, action)
            trigger = getattr(self.cfg, f"{name}_call")
            if trigger is not None:
                self._set_limit(what, trigger[0], Action.CALL, trigger[1])

    def _set_limit(self, what: int, number: int, action: int, call: HandlerName | None = None) -> None:
        self._calls[what] = call
        self.state.counts.action[what] = action
        self.state.counts.limit[what] = number

    def called(self, what: int) -> None:
        call = self._calls[what]
        try:
            if call is not None:
                self.runtime.write(call)
        except ClickError as error:
            sys.stderr.write(f"{self.name}: {error.render()}")

    # -- files -------------------------------------------------------------------------------------------------------

    def _pairs(self) -> list[tuple[int, int]]:
        """(aggregate, count) of each aggregate with a nonzero count, sorted."""
        words = self.state.pairs.column("word")[1 : self.state.counts.used + 1]
        return sorted((word >> 32, word & 0xFFFFFFFF) for word in words if word & 0xFFFFFFFF)

    def _write(self, name: str, kind: str, rows: bytes) -> None:
        banner = self._banner if not self._banner or self._banner.endswith("\n") else f"{self._banner}\n"
        head = f"!IPAggregate 1.0\n{banner}!num_nonzero {self.state.counts.nonzero}\n{kind}"
        content = head.encode("utf-8", "surrogateescape") + rows
        name = Filename().parse(name.strip())
        if name == "-":
            sys.stdout.flush()
            sys.stdout.buffer.write(content)
            sys.stdout.flush()
            return
        try:
            Path(name).write_bytes(content)
        except OSError as error:
            raise ArgError(f"{name}: {error.strerror}") from None

    @write_handler(needs=Right.FILES)
    def write_text_file(self, text: str) -> None:
        """writes to the named file, or `-`, a line for each aggregate with its count. `write_ascii_file` is the same."""
        self._write(text, "", "".join(f"{a} {count}\n" for a, count in self._pairs()).encode())

    write_ascii_file = write_text_file

    @write_handler(needs=Right.FILES)
    def write_ip_file(self, text: str) -> None:
        """the same with aggregates as IP addresses."""
        rows = (f"{'.'.join(map(str, a.to_bytes(4)))} {count}\n" for a, count in self._pairs())
        self._write(text, "!ip\n", "".join(rows).encode())

    @write_handler(needs=Right.FILES)
    def write_pdf_file(self, text: str) -> None:
        """the same with the share of the whole, and not the count."""
        total = self.state.counts.count
        self._write(text, "", "".join(f"{a} {count / total:.12g}\n" for a, count in self._pairs()).encode())

    @write_handler(needs=Right.FILES)
    def write_file(self, text: str) -> None:
        """the same in binary, four bytes for the aggregate and four for the count."""
        rows = b"".join(struct.pack("=II", a, count) for a, count in self._pairs())
        self._write(text, f"!packed_{'le' if sys.byteorder == 'little' else 'be'}\n", rows)

    # -- handlers ----------------------------------------------------------------------------------------------------

    count = sum_handler("counts", text="the whole count")
    nagg = sum_handler("counts", "nonzero", text="how many aggregates there are")
    no_room = sum_handler("counts", "refused", text="packets that weren't counted because there were CAPACITY other aggregates")
    freeze = field_handlers("counts", Bool(), field="frozen", text="whether it is frozen")
    active = field_handlers("counts", Bool(), text="whether it counts at all")

    @write_handler
    def stop(self, text: str) -> None:
        """stops counting, and stops the driver."""
        self.state.counts.active = False
        self.runtime.stop()

    clear = control_handler("CLEAR", text="forgets all counts.")
    reaggregate_counts = control_handler("REAGGREGATE", text="counts become aggregates: how many aggregates had that count.")
    counts_pdf = reaggregate_counts

    @read_handler("banner")
    def read_banner(self) -> str:
        return self._banner

    @write_handler("banner")
    def write_banner(self, text: str) -> None:
        self._banner = "" if text == "\n" else text if text.endswith("\n") or not text else f"{text}\n"

    @read_handler("aggregate_call")
    def read_aggregate_call(self) -> str:
        return self._trigger(Limit.AGGREGATES)

    @write_handler("aggregate_call", needs=Right.CALLS)
    def write_aggregate_call(self, text: str) -> None:
        self._set_trigger(Limit.AGGREGATES, text)

    @read_handler("count_call")
    def read_count_call(self) -> str:
        return self._trigger(Limit.COUNT)

    write_count_call = write_handler(lambda self, text: self._set_trigger(Limit.COUNT, text), name="count_call", needs=Right.CALLS)

    def _trigger(self, what: int) -> str:
        """The next limit, and the handler to call there."""
        counts = self.state.counts
        if counts.limit[what] == NEVER:
            return ""
        own = {Action.FREEZE: f"{self.name}.freeze true", Action.STOP: f"{self.name}.stop"}
        return f"{counts.limit[what]} {own.get(counts.action[what], self._calls[what])}"

    def _set_trigger(self, what: int, text: str) -> None:
        if not text.strip():
            self._set_limit(what, NEVER, Action.FREEZE)
            return
        number, call = Trigger().parse(text.strip(), self.context)
        if call is None:
            raise ArgError("syntax error", f"expected {Trigger().describe()}")
        self.runtime.handlers.writable(call.element, call.handler)
        self._set_limit(what, number, Action.CALL, call)
