"""The base of Replay, ReplayUnqueue and MultiReplayUnqueue: packets are loaded once, and sent repeatedly."""

from collections.abc import Iterable

from clickbpf.declare import (
    COUNTED, LOST, SAME, USER, ArgError, Bool, Element, Held, Integer, Keyword, Private, control_handler, ptr, read_handler, s64,
    u8, u32, u64,
)

LOOPS = Integer(32, signed=True)
#: The most packets to load.
MOST = 1 << 22

#: Parts of the manual pages; their first lines are indented by the page.
ABOUT = f"""A class of FastClick. It pulls packets from its inputs until one of these is empty, keeps the packets, and sends copies
    of all of them STOP times. Packets of several inputs are sorted by timestamp; a packet's paint annotation is the number of its
    input, from 0. At most {MOST} packets are loaded."""
ARGUMENTS = """- STOP: how often to send all packets before the driver is stopped; endlessly if negative. Default -1.
      - QUICK_CLONE, USE_SIGNAL, FREEONTERMINATE: accepted, of no effect."""
HANDLERS = """- `active` (read, write): ACTIVE.
      - `stop` (read, write): how often all packets are still to be sent.
      - `reset` (write): forgets the packets and loads others."""


class Replaying(Element, ports="1-/1", flow="#/#", runs=USER):
    """Base of the classes; in C, replay.inc.h."""

    operations = ("GO_ON", "RESET")
    args = (
        Keyword("STOP", LOOPS, -1, setting="replay", then="notify", text="how often to send all packets before stopping the driver; "
            "endlessly if negative"),
        Keyword("STOP_TIME", Integer(32), 0, "if not 0, also stop the driver after this many seconds"),
        Keyword("LIMIT", LOOPS, -1, "the most packets to load; all if negative"),
        Keyword("BURST", Integer(32, low=1), 64, "how many packets to send at once"),
        Keyword("ACTIVE", Bool(), True, setting="replay", then="notify", text="false to do nothing"),
        Keyword("VERBOSE", Bool(), False, "whether to report each time all packets have been sent"),
        Keyword("QUICK_CLONE", Bool(), False, "accepted, of no effect"),
        Keyword("USE_SIGNAL", Bool(), False, SAME),
        Keyword("FREEONTERMINATE", Bool(), True, SAME),
    )
    annotations = ("PAINT",)
    #: `first` and `next` are packets. The packet with the timestamp `packets_from` was sent at `sent_from`, the very first one at
    #: `began`; 0 for none yet. `timing` is the speed in percent of the timestamps' own, 0 for as fast as possible.
    state_types = {
        "replay": Private(first=ptr, next=ptr, began=u64, sent_from=u64, packets_from=u64, stop=s64, timing=u32, active=u8, loaded=u8)
    }
    holds = (Held("packets that it replays", COUNTED, LOST),)
    derived = {"most": ("__u32", lambda self: min(MOST, self.cfg.limit) if self.cfg.limit >= 0 else MOST)}

    def warnings(self) -> Iterable[ArgError]:
        if self.cfg.limit > MOST:
            yield ArgError(f"no more than {MOST} packets are loaded", argument="LIMIT")

    loaded = read_handler(lambda self: Bool().unparse(bool(self.state.replay.loaded)), text="whether the packets are loaded.")
    reset = control_handler("RESET")
