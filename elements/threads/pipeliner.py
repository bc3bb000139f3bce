from clickbpf.declare import (
    COUNTED, LOST, PUSH, SAME, THREAD_SAFE, USER, ArgError, Bool, Constants, Element, Held, Integer, Keyword, Optional, PerThread,
    Private, Raw, ptr, s32, sum_handler, u8, u32, u64,
)

#: CAPACITY's default (also for numbers below 1), minimum and maximum.
DEFAULT, LEAST, MOST = 1024, 4, 1 << 24
#: An unlimited burst.
ENDLESS = (1 << 32) - 1


class Pipeliner(Element, ports="1-/1", processing=PUSH, runs=USER, traits=THREAD_SAFE):
    """hands packets over to another thread

    Packets that any thread pushes into it are pushed on by its own thread, which StaticThreadSched assigns. They wait in rings, one
    for each thread that they come from; packets of a ring stay in order. Packets from its own thread pass at once. With a single
    thread it does nothing.

    A class of FastClick. Unqueue after ThreadSafeQueue does the same.

    Example:

        FromDevice(eth0) -> p :: Pipeliner(BLOCKING true) -> CheckIPHeader(14) -> Queue -> ToDevice(eth1);
        StaticThreadSched(p 1);
    """

    wakes = ("control",)
    args = (
        Optional("CAPACITY", Integer(32, signed=True, high=MOST), -1, "Integer, at least 4. The size of a ring, in packets. Default is "
            "1024, which a number below 1 also stands for"),
        Optional("BURST", Integer(32, signed=True), 32, "Integer. The most packets to push from a ring before the next ring's turn. "
            "Default is 32; no limit if below 1"),
        Optional("BLOCKING", Bool(), False, "Boolean. Whether a thread waits for room when its ring is full. If false, the default, the "
            "packet is dropped"),
        Keyword("ACTIVE", Bool(), True, "Boolean. If false, packets wait", setting="pipe", then="notify"),
        Keyword("DIRECT_TRAVERSAL", Bool(), True, "Boolean. If false, packets from its own thread wait in a ring, too, and are dropped if "
            "that is full"),
        Keyword("ALWAYS_UP", Raw(), text="FastClick's. Accepted, without effect"),
        *(Keyword(name, Raw(), text=SAME) for name in ("NOUSELESS", "VERBOSE", "PREFETCH")),
    )
    state_types = {
        "rings": PerThread(packets=ptr, count=u64, dropped=u64, last=u32, apart=u32 * 25, first=u32),
        "pipe": Private(turn=u32, highwater=u32, gate=s32, closed=u8, active=u8),
    }
    holds = (Held("packets that wait", COUNTED, LOST),)

    def configure(self) -> None:
        if 0 < self.cfg.capacity < LEAST:
            raise ArgError("Pipeliner ring size must be at least 4", argument="CAPACITY")

    def constants(self) -> Constants:
        capacity, burst = self.cfg.capacity, self.cfg.burst
        return {"capacity": ("__u32", str(capacity if capacity > 0 else DEFAULT)), "burst": ("__u32", str(burst if burst > 0 else ENDLESS))}

    count = sum_handler("rings", text="packets put into a ring")
    dropped = sum_handler("rings", text="how often there was no room")
    highwater = sum_handler("pipe", text="the most packets that were left in a ring at the end of its turn")
