from clickbpf.declare import (
    ANEW, ELIDABLE, KEPT, SAME, ArgError, Bool, Held, Integer, Keyword, Private, Real, Reconfigurable, Required, Self, read_handler, s32,
    u32, u64, unparse_binary, value_handlers,
)

from ._watching import QUEUES, WatchingElement

_THRESHOLD, _PROBABILITY, ONE = Integer(32), Real(16), 1 << 16
MOST, MOST_STABILITY = 0xFFFF, 16
#: EWMA_SCALE of rates/ewma.h.
SCALE = 10


class RED(Reconfigurable, WatchingElement, ports="1/1-2", processing="a/ah", traits=ELIDABLE):
    """drops packets at random, more of them the longer the queues are

    Random Early Detection (Floyd and Jacobson 1993): keeps an average of the number of packets in its Queues. Up to MIN_THRESH no
    packet is dropped; from there to MAX_THRESH the drop probability grows from 0 to MAX_P, and beyond to certainty at twice
    MAX_THRESH (Floyd's gentle variant). Drops are spread evenly.

    Its Queues are the nearest ones downstream if packets are pushed through it, or upstream if they are pulled. If devices'
    transmit rings take the places of all of them, no packets wait, and the kernel path skips RED; a BandwidthShaper after a Queue
    makes packets wait in it.

    Arguments:

      - QUEUES: names of Queues to watch instead.

    Ports: one input; one output, and perhaps a push output for dropped packets.

    Example: FromDevice(eth0) -> RED(5, 50, 0.02) -> Queue(200) -> ToDevice(eth1);
    """

    args = (
        Required("MIN_THRESH", _THRESHOLD, "Integers, packets, up to 65535"),
        Required("MAX_THRESH", _THRESHOLD, SAME),
        Required("MAX_P", _PROBABILITY, "Real number from 0 to 1"),
        QUEUES,
        Keyword("STABILITY", Integer(32), 4, "Integer up to 16. The current length has a weight of 2^-STABILITY in the average; 0 means "
            "no average, only the current length"),
        Keyword("GENTLE", Bool(), True, "Boolean. If false, all packets are dropped above MAX_THRESH"),
    )
    #: `average` has 10 bits of fraction, `max_p` and probabilities 16; `since` counts packets since the last drop, or is -1 below
    #: MIN_THRESH; `idle` is the last time of an empty queue, in 1/50 s.
    state_types = {
        "drop": Private(count=u64, waiting=u32),
        "red": Private(average=u64, idle=u64, min_thresh=u32, max_thresh=u32, limit=u32, max_p=u32, random=u32, since=s32),
    }
    holds = (Held("the average length", KEPT, ANEW),)

    def configure(self) -> None:
        super().configure()
        self._check(self.cfg.min_thresh, self.cfg.max_thresh, self.cfg.max_p)
        if self.cfg.stability > MOST_STABILITY:
            raise ArgError(f"STABILITY must be between 0 and {MOST_STABILITY}", argument="STABILITY")

    @staticmethod
    def _check(low: int, high: int, probability: int) -> None:
        if high > MOST:
            raise ArgError(f"MAX_THRESH must be <= {MOST}")
        if low > high:
            raise ArgError("MIN_THRESH must be <= MAX_THRESH")
        if probability > ONE:
            raise ArgError("MAX_P must be between 0 and 1")

    def initialise(self) -> None:
        super().initialise()
        self.state.red.since = -1
        self._set(self.cfg.min_thresh, self.cfg.max_thresh, self.cfg.max_p)

    def take_state(self, before: Self) -> None:
        """The average length."""
        self.state.red.average = before.state.red.average

    def _set(self, low: int, high: int, probability: int) -> None:
        self._check(low, high, probability)
        red = self.state.red
        red.min_thresh, red.max_thresh, red.max_p = low, high, probability
        red.limit = 2 * high if self.cfg.gentle and probability != ONE else high

    def _change(self, **one: int) -> None:
        self._set(*(one.get(name, getattr(self.state.red, name)) for name in ("min_thresh", "max_thresh", "max_p")))

    min_thresh = value_handlers(
        _THRESHOLD, lambda self: self.state.red.min_thresh, lambda self, low: self._change(min_thresh=low), argument="MIN_THRESH"
    )
    max_thresh = value_handlers(
        _THRESHOLD, lambda self: self.state.red.max_thresh, lambda self, high: self._change(max_thresh=high), argument="MAX_THRESH"
    )
    max_p = value_handlers(_PROBABILITY, lambda self: self.state.red.max_p, lambda self, most: self._change(max_p=most), argument="MAX_P")
    avg_queue_size = read_handler(lambda self: unparse_binary(self.state.red.average, SCALE), text="the average length")

    @read_handler
    def stats(self) -> str:
        """present and average length, and drops, in words."""
        return f"{self._current()} current queue\n{self.avg_queue_size()} avg queue\n{self.state.drop.count} drops\n"

    @read_handler("config")
    def read_config(self) -> str:
        """all arguments."""
        queues = "".join(f" {name}" for name in self._watched)
        gentle = "" if self.cfg.gentle else ", GENTLE false"
        red = self.state.red
        thresholds = f"{red.min_thresh}, {red.max_thresh}, {_PROBABILITY.unparse(red.max_p)}"
        return f"{thresholds}, QUEUES{queues}, STABILITY {self.cfg.stability}{gentle}"
