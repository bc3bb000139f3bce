from clickbpf.declare import (
    ALWAYS_TAKES, BEARS_OFFLOADS, PASSES, Bool, Element, Integer, Keyword, PerThread, reset_handler, sum_handler, u64,
)

#: BURST 0 means no limit.
UNLIMITED = (1 << 32) - 1


class Discard(Element, ports="1/0", traits=BEARS_OFFLOADS | PASSES):
    """drops all packets

    Drops and counts every packet. On a pull connection it pulls packets as long as there are any, then sleeps until there are more.

    Example: FromDevice(eth0) -> Discard;
    """

    aliases = ("DiscardNoFree",)
    args = (
        Keyword("ACTIVE", Bool(), True, "false to pull no packets; an error on a push connection", setting="vars", then="notify"),
        Keyword("BURST", Integer(), 1, "packets to pull at a time; 0 for no limit"),
    )
    state_types = {"counters": PerThread(count=u64)}

    def configure(self) -> None:
        self.cfg.burst = self.cfg.burst or UNLIMITED
        if self.cfg.active:
            self.traits |= ALWAYS_TAKES

    count = sum_handler("counters", text="packets dropped")
    reset_counts = reset_handler("counters", text="sets `count` to 0.")
