from __future__ import annotations

from clickbpf.args import Bool, EtherAddress, Integer, Keyword, Required, Time
from clickbpf.args.values import Ether
from clickbpf.vocabulary.element import USER, Element, field_handlers, sum_handler, write_handler
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Private, ether, s64, u8, u16, u64

#: The destination of pause frames: the other end of the link, whatever its address (IEEE 802.3, annex 31B).
ALL_STATIONS = Ether.fromhex("0180c2000001")
LIMIT = Integer(32, signed=True)


class EtherPauseSource(Element):
    """creates Ethernet pause frames

    Synopsis: `EtherPauseSource(SRC, PAUSETIME, [DST ..., LIMIT ..., INTERVAL ..., ACTIVE ...])`

    A pause frame (IEEE 802.3, annex 31B) asks the device at the other end of a link to send nothing for a time, if it
    understands them. One is pushed every INTERVAL, the first after one; or one is ready for each pull. It has 64 bytes,
    without a frame check sequence.

    Arguments:

      - SRC: Ethernet address of the device that the frames leave by.
      - PAUSETIME: how long to pause: 0 to 65535 times as long as 512 bits take on the link.
      - DST: Ethernet address that the frames go to. Default 01-80-C2-00-00-01, which is for this purpose.
      - LIMIT: frames to make; for ever if negative. Default -1.
      - INTERVAL: time between frames, in milliseconds at the finest. Default 1 s.
      - ACTIVE: false to make none. Default true.

    Ports: one output, push or pull.

    Handlers:

      - `count` (read): frames made.
      - `src`, `dst`, `pausetime`, `limit`, `active` (read, write): the arguments.
      - `reset_counts` (write): sets `count` to 0, after which LIMIT more are made.

    Example: on a link of 1 Gbit/s, 390 times 512 ns are 200 us:

        EtherPauseSource(00:1e:13:22:48:91, 390, INTERVAL 10ms) -> Queue -> ToDevice(eth0);
    """

    ports = "0/1"
    runs = USER
    entries = ("pull", "timer", "init", "control")
    args = (
        Required("SRC", EtherAddress()),
        Required("PAUSETIME", Integer(16)),
        Keyword("DST", EtherAddress(), ALL_STATIONS),
        Keyword("LIMIT", LIMIT, -1),
        Keyword("ACTIVE", Bool(), True),
        Keyword("INTERVAL", Time(3), 10**9),
    )
    state_types = {
        "source": Private(count=u64, limit=s64, due=u64, pausetime=u16, src=ether, dst=ether, active=u8, waiting=u8),
    }
    holds = (Held("how many packets it has made", ANEW, ANEW),)

    def initialise(self) -> None:
        source, cfg = self.state.source, self.cfg
        source.limit, source.active, source.pausetime = cfg.limit, cfg.active, cfg.pausetime
        source.src, source.dst = ether(*cfg.src), ether(*cfg.dst)

    count = sum_handler("source")

    @write_handler
    def reset_counts(self, text: str) -> None:
        self.state.source.count = 0
        self.notify()

    limit = field_handlers("source", LIMIT, "notify")
    active = field_handlers("source", Bool(), "notify")
    pausetime = field_handlers("source", Integer(16))
    src = field_handlers("source", EtherAddress())
    dst = field_handlers("source", EtherAddress())
