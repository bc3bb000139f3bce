import errno
import struct
import sys
from enum import IntEnum

from clickbpf.declare import (
    ANEW, BEARS_OFFLOADS, KEPT, NOWHERE, PASSES, SAME, THREAD_SAFE, ArgError, ClickError, Context, HandlerCall, HandlerName, Held, Integer,
    Keyword, PerThread, Raw, RemotelyCalled, Right, Type, Vars, read_handler, s64, shift_word, u8, u64, write_handler,
)

from ..common._clock import now
from ._rate import EPOCH, advance, unparse_rate


class What(IntEnum):
    """Indexes of the arrays in the state: one for each count."""

    PACKETS = 0
    BYTES = 1
    #: In `armed` only: the number of calls in progress.
    CALLING = 2


PACKETS, BYTES, CALLING = What
#: LLRPCs of <click/llrpc.h>.
GET_RATE, GET_COUNT = 1, 3


class Trigger(Type):
    """`N HANDLER [VALUE]`; value (N, HandlerName), or (N, None) without a handler."""

    described = "a number and a handler to write to (N ELEMENT.HANDLER VALUE)"

    def parse(self, text: str, context: Context = NOWHERE) -> tuple[int, HandlerName | None]:
        number, call = shift_word(text)
        return Integer(63).parse(number), HandlerCall().parse(call, context) if call else None

    def calls(self, value: tuple[int, HandlerName | None]) -> tuple[HandlerName, ...]:
        return value[1:] if value[1] else ()


class Counter(RemotelyCalled, traits=BEARS_OFFLOADS | PASSES | THREAD_SAFE):
    """counts packets and measures their rate

    Rates are averages weighted towards the last 16 milliseconds. FastClick's counters for several threads are other names of this
    class: CounterMP, CounterAtomic, CounterRCU, those with a lock (CounterLock, CounterLockMP, CounterPLockMP), and those with a
    reader/writer lock (CounterRW, CounterPRW, CounterRWMP, CounterPRWMP, CounterRxWMP, CounterRxWMPPR, CounterRxWMPPW).

    Handlers:

      - `count_call` (read, write), `byte_count_call` (write): COUNT_CALL and BYTE_COUNT_CALL; with N alone, no handler is called.

    Example: FromDevice(eth0) -> Counter(COUNT_CALL 1000000 stop) -> Discard;
    """

    enums = (What,)
    aliases = ("CounterMP", "CounterAtomic", "CounterRCU", "CounterLock", "CounterLockMP", "CounterPLockMP", "CounterRW", "CounterPRW",
               "CounterRWMP", "CounterPRWMP", "CounterRxWMP", "CounterRxWMPPR", "CounterRxWMPPW")  # fmt: skip
    args = (
        Keyword("COUNT_CALL", Trigger(), text="`N HANDLER [VALUE]`; after N packets, VALUE is written to the handler, once, before the "
            "Nth packet goes on. That packet, and packets arriving until the call is done, pass through the runtime"),
        Keyword("BYTE_COUNT_CALL", Trigger(), text="the same for N bytes or more. (While both calls are armed, the last packets before a "
            "call pass through the runtime: one packet, or 64 kB, for each CPU.)"),
        Keyword("NO_RATE", Raw(), text="FastClick's. Accepted, of no effect"),
        *(Keyword(name, Raw(), text=SAME) for name in ("BATCH_PRECISE", "ATOMIC")),
    )
    #: Only the executors write to counters, so a reset stores their values in `reset_at`.
    state_types = {
        "counters": PerThread(count=u64, byte_count=u64, tick=u64, epoch=u64, measured=u64 * 2, average=u64 * 2),
        "vars": Vars(reset_at=u64 * 2, left=s64 * 2, armed=u8 * 4),
    }
    holds = (Held("the rate, and how far a call is away", ANEW, KEPT),)
    weight = 250

    def initialise(self) -> None:
        self.triggers = [self.cfg.count_call, self.cfg.byte_count_call]
        self.state.vars.armed[CALLING] = 0
        self._arm()

    def _total(self, what: int) -> int:
        raw = self.state.counters.sum("byte_count" if what == BYTES else "count")
        return raw - self.state.vars.reset_at[what]

    def _average(self, what: int) -> float:
        """Current events per epoch, over all threads."""
        epoch = now(self) // EPOCH
        return sum(
            advance(c.average[what], (c.byte_count if what == BYTES else c.count) - c.measured[what], epoch - c.epoch)
            for c in self.state.counters
        )

    # -- calls -------------------------------------------------------------------------------------------------------

    def _arm(self, which: tuple[int, ...] = (PACKETS, BYTES)) -> None:
        """Arm the calls. While `left` is 0 the kernel path punts packets, so that none is counted past the new calls."""
        variables = self.state.vars
        for what in which:
            number, call = self.triggers[what] or (0, None)
            variables.left[what], variables.armed[what] = 0, call is not None
            left = number - self._total(what)
            if what == PACKETS and left <= 0:
                variables.armed[what] = 0  # already past the number
            variables.left[what] = left

    def called(self, what: int) -> None:
        """The runtime has reached the number: call the handler."""
        number, call = self.triggers[what]
        try:
            self.runtime.write(call)
        except ClickError as error:
            sys.stderr.write(f"{self.name}: {error.render()}")

    def _set_trigger(self, what: int, text: str) -> None:
        if self.runtime is None:
            raise ArgError("the runtime, which would make the call, is not running")
        number, call = Trigger().parse(text.strip(), self.context)
        if call:
            self.runtime.handlers.writable(call.element, call.handler)
        self.triggers[what] = number, call
        self._arm((what,))

    # -- handlers ----------------------------------------------------------------------------------------------------

    count = read_handler(lambda self: str(self._total(PACKETS)), text="packets since the start or the last reset")
    byte_count = read_handler(lambda self: str(self._total(BYTES)), text="their bytes")
    rate = read_handler(lambda self: unparse_rate(self._average(PACKETS), 10), text="packets in a second")
    byte_rate = read_handler(lambda self: unparse_rate(self._average(BYTES), 4), text="bytes in a second")
    bit_rate = read_handler(lambda self: unparse_rate(self._average(BYTES) * 8, 1), text="bits in a second")

    @write_handler
    def reset(self, text: str) -> None:
        """sets the counts to 0 and arms COUNT_CALL and BYTE_COUNT_CALL again."""
        for what in (PACKETS, BYTES):
            self.state.vars.reset_at[what] += self._total(what)
        self._arm()

    reset_counts = reset

    def llrpc(self, number: int, data: bytes) -> bytes:
        if number not in (GET_RATE, GET_COUNT):
            return super().llrpc(number, data)
        (what,) = struct.unpack("=I", data)
        if what > (PACKETS if number == GET_RATE else BYTES):
            raise OSError(errno.EINVAL, "no such count")
        value = float(self.rate()) if number == GET_RATE else self._total(what)
        return struct.pack("=I", int(value) % (1 << 32))

    @read_handler("count_call")
    def read_count_call(self) -> str:
        trigger = self.triggers[PACKETS] if self.runtime else self.cfg.count_call
        return str(trigger[0]) if trigger and trigger[1] else ""

    write_count_call = write_handler(lambda self, text: self._set_trigger(PACKETS, text), name="count_call", needs=Right.CALLS)
    write_byte_count_call = write_handler(lambda self, text: self._set_trigger(BYTES, text), name="byte_count_call", needs=Right.CALLS)
