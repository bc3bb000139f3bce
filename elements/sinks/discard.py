from __future__ import annotations

from clickbpf.args import Bool, Integer, Keyword
from clickbpf.vocabulary.element import PASSES, Element, field_handlers, sum_handler, write_handler
from clickbpf.vocabulary.state import PerThread, Vars, u8, u64

#: BURST 0 means no limit.
UNLIMITED = (1 << 32) - 1


class Discard(Element):
    """drops all packets

    Synopsis: `Discard([ACTIVE ..., BURST ...])`

    Drops and counts every packet. On a pull connection it pulls packets as long as there are any, and sleeps until there
    are more.

    Arguments, of use on a pull connection only:

      - ACTIVE: false to pull no packets; a mistake where packets are pushed. Default true.
      - BURST: packets to pull in one go; 0 for no limit. Default 1.

    Ports: one input.

    Handlers:

      - `count` (read): packets dropped.
      - `active` (read, write): ACTIVE.
      - `reset_counts` (write): sets `count` to 0.

    Example:

        FromDevice(eth0) -> Discard;
    """

    bears_offloads = True
    aliases = ("DiscardNoFree",)
    ports = "1/0"
    entries = ("task", "init", "control")
    looks = PASSES
    args = (Keyword("ACTIVE", Bool(), True), Keyword("BURST", Integer(), 1))
    state_types = {"counters": PerThread(count=u64), "vars": Vars(active=u8)}
    weight = 10

    def configure(self) -> None:
        self.cfg.burst = self.cfg.burst or UNLIMITED

    @property
    def always_takes(self) -> bool:
        return self.cfg.active

    count = sum_handler("counters")

    active = field_handlers("vars", Bool(), "notify")

    @write_handler
    def reset_counts(self, text: str) -> None:
        self.state.counters.clear()
