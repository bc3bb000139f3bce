from __future__ import annotations

from clickbpf.args import Bool, Integer, Keyword, Optional
from clickbpf.vocabulary.element import PULL_TO_PUSH, USER, Element, field_handlers, sum_handler, write_handler
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Private, s64, u8, u32, u64

#: Pulls until nothing comes back.
ENDLESS = 0x7FFFFFFF


class Unqueue(Element):
    """pull-to-push converter

    Synopsis: `Unqueue([BURST, ACTIVE ..., LIMIT ...])`

    Pulls packets whenever they are available and pushes them out of its output, at most BURST each time it is
    scheduled. Papers about Click call it PullToPush.

    Packets leave the kernel path at the Queue before it. `-O 3` removes both, if nothing names them, no RED or the like is before
    the Queue, and the Queue doesn't end a loop.

    Arguments:

      - BURST: Integer. Default is 1; below 0 it pulls until nothing comes back.
      - ACTIVE: Boolean. If false, it does nothing. Default is true.
      - LIMIT: Integer. If not negative, at most LIMIT packets are pulled. Default is -1.

    Handlers: `count`, packets that passed; `active`, `limit`, `burst` (read/write); `reset`, `reset_counts` set the
    count to 0, after which LIMIT more may pass.

    Example:

        FromDevice(eth0) -> Queue -> Unqueue(BURST 8) -> Counter -> Discard;
    """

    processing = PULL_TO_PUSH
    runs = USER
    entries = ("task", "init", "control")
    wakes = ("init", "control")
    aliases = ("PullToPush",)
    args = (
        Optional("BURST", Integer(32, signed=True), 1),
        Keyword("ACTIVE", Bool(), True),
        Keyword("LIMIT", Integer(32, signed=True), -1),
    )
    state_types = {"unqueue": Private(count=u64, limit=s64, burst=u32, active=u8)}
    holds = (Held("how many packets it has passed on", ANEW, ANEW),)

    @property
    def always_takes(self) -> bool:
        return self.cfg.active and self.cfg.limit < 0 and self.cfg.burst != 0

    def initialise(self) -> None:
        unqueue = self.state.unqueue
        unqueue.active, unqueue.limit = self.cfg.active, self.cfg.limit
        unqueue.burst = _burst(self.cfg.burst)

    count = sum_handler("unqueue")
    active = field_handlers("unqueue", Bool(), "notify")
    limit = field_handlers("unqueue", Integer(32, signed=True), "notify")
    burst = sum_handler("unqueue")

    @write_handler("burst")
    def write_burst(self, text: str) -> None:
        self.state.unqueue.burst = _burst(Integer(32, signed=True).parse(text.strip()))
        self.notify()

    @write_handler
    def reset(self, text: str) -> None:
        self.state.unqueue.count = 0
        self.notify()

    reset_counts = reset


def _burst(value: int) -> int:
    return ENDLESS if value < 0 else value
