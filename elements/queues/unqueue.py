from clickbpf.declare import (
    ALWAYS_TAKES, ANEW, PULL_TO_PUSH, USER, Bool, Element, Held, Integer, Keyword, Optional, Private, Vars, read_handler, reset_handler,
    s64, sum_handler, u8, u32, u64, write_handler,
)

#: A burst without a limit.
ENDLESS = 0x7FFFFFFF


class Unqueue(Element, processing=PULL_TO_PUSH, runs=USER):
    """pull-to-push converter

    Pulls packets whenever they are available and pushes them to its output, at most BURST each time it is scheduled. Papers about
    Click call it PullToPush.

    Packets leave the kernel path at the Queue before it. `-O 3` removes both, unless something names them, a RED or the like is
    before the Queue, or the Queue closes a loop. With `load --spread` they stay in the kernel if StaticThreadSched gives the Unqueue a
    thread: it is a CPU then.

    Example: FromDevice(eth0) -> Queue -> Unqueue(BURST 8) -> Counter -> Discard;
    """

    wakes = ("init", "control")
    aliases = ("PullToPush",)
    args = (
        Optional("BURST", Integer(32, signed=True), 1, "Integer. Default is 1; if negative, it pulls until there are no packets"),
        Keyword("ACTIVE", Bool(), True, "Boolean. If false, it does nothing", setting="unqueue", then="changed"),
        Keyword("LIMIT", Integer(32, signed=True), -1, "Integer. If not negative, at most LIMIT packets are "
            "pulled", setting="unqueue", then="changed"),
    )
    state_types = {"unqueue": Private(count=u64, limit=s64, burst=u32, active=u8), "lane": Vars(closed=u8, passed=u64)}
    holds = (Held("how many packets it has passed on", ANEW, ANEW),)

    def configure(self) -> None:
        if self.cfg.active and self.cfg.limit < 0 and self.cfg.burst != 0:
            self.traits |= ALWAYS_TAKES

    def initialise(self) -> None:
        unqueue = self.state.unqueue
        unqueue.active, unqueue.limit = self.cfg.active, self.cfg.limit
        unqueue.burst = _burst(self.cfg.burst)
        self._close()

    def _close(self) -> None:
        """Have the kernel path keep no packets that this element doesn't take at once."""
        unqueue = self.state.unqueue
        self.state.lane.closed = not (unqueue.active and unqueue.limit < 0 and unqueue.burst)

    def changed(self) -> None:
        """Follow handlers."""
        self._close()
        self.notify()

    count = read_handler(lambda self: str(self.state.unqueue.count + self.state.lane.passed), text="packets that passed")
    burst = sum_handler("unqueue")

    @write_handler("burst")
    def write_burst(self, text: str) -> None:
        self.state.unqueue.burst = _burst(Integer(32, signed=True).parse(text.strip()))
        self.changed()

    reset = reset_handler("unqueue", "count", then="restart", text="sets the count to 0, after which LIMIT more may pass.")
    reset_counts = reset

    def restart(self) -> None:
        """Count anew in the kernel path, too."""
        self.state.lane.passed = 0
        self.notify()


def _burst(value: int) -> int:
    return ENDLESS if value < 0 else value
