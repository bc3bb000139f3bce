"""FromDevice: where packets enter the router."""

from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import Bool, DeviceName, Integer, Keyword, Optional, Raw, Required, String, Word
from clickbpf.args.error import ArgError
from clickbpf.vocabulary.alignment import FRAME, AlignmentRule
from clickbpf.vocabulary.element import Element, read_handler, write_handler
from clickbpf.vocabulary.state import PerThread, u64

from ._device import COMING_AND_GOING, refuse_coming_and_going


class FromDevice(Element):
    """reads packets from a network device

    Synopsis: `FromDevice(DEVNAME [, PROMISC, SNAPLEN, KEYWORD ...])`

    Takes all packets that DEVNAME receives, before Linux sees them, and pushes them out of output 0, beginning with
    their Ethernet headers. Packets that Linux should have too go to ToHost. Sets the device, packet type and MAC
    header annotations; packets to other hosts' Ethernet addresses have the type OTHERHOST.

    Arguments are those of Click's drivers, user-level and Linux; PollDevice is another name of the class.

    Arguments:

      - DEVNAME: The device.
      - PROMISC: Boolean. Put the device into promiscuous mode. Default is false.
      - SNAPLEN: Integer. Cut longer packets to this number of bytes. By default they aren't cut.
      - FORCE_IP: Boolean. Let only IP packets pass, with the network header annotation set; others leave by output 1
        or are dropped. Default is false.
      - SNIFFER: Boolean. Must be false, which is the default: packets are the router's alone.
      - BURST, HEADROOM, METHOD, TIMESTAMP, ALIGNMENT, QUIET, LENGTH, ENCAP: Accepted, of no effect.

    Handlers: `count`, the packets received; `kernel_drops`, those lost since the router was loaded because the runtime took
    them too slowly; `encap`; `reset_counts`.

    Example:

        FromDevice(eth0) -> Counter -> Discard;
    """

    alignment = AlignmentRule(gives=FRAME)
    ports = "0/1-2"
    processing = "h"
    aliases = ("PollDevice",)
    args = (
        Required("DEVNAME", DeviceName()),
        Optional("PROMISC", Raw()),
        Optional("SNAPLEN", Integer(32)),
        Keyword("FORCE_IP", Bool(), False),
        Keyword("SNIFFER", Bool(), False),
        Keyword("OUTBOUND", Bool(), False),
        Keyword("PROTOCOL", Integer(16), 0),
        Keyword("BPF_FILTER", String(), ""),
        Keyword("ACTIVE", Bool(), True),
        Keyword("BURST", Integer(32, low=1)),
        Keyword("HEADROOM", Integer(32)),
        Keyword("LENGTH", Integer(32)),
        Keyword("METHOD", Word()),
        Keyword("CAPTURE", Word()),
        Keyword("ENCAP", Word()),
        Keyword("ALIGNMENT", Raw()),
        Keyword("TIMESTAMP", Bool(), True),
        Keyword("QUIET", Bool(), False),
        *COMING_AND_GOING,
    )
    annotations = ("DST_IP",)
    drop_handlers = {"kernel_drops": "OVERRUN"}
    state_types = {"counters": PerThread(count=u64)}
    weight = 30

    def configure(self) -> None:
        cfg = self.cfg
        cfg.promisc = self._promisc(cfg.promisc)
        if cfg.sniffer:
            raise ArgError("packets can't go to the router and to Linux both", "send copies: Tee, ToHost", argument="SNIFFER")
        if cfg.outbound:
            raise ArgError("packets that Linux sends don't come in here", "FromHost makes a device for them", argument="OUTBOUND")
        if cfg.bpf_filter:
            raise ArgError("filters in tcpdump's language aren't supported", "use IPFilter", argument="BPF_FILTER")
        if cfg.protocol:
            raise ArgError("choosing a protocol isn't supported", "use Classifier", argument="PROTOCOL")
        refuse_coming_and_going(cfg)
        if not cfg.active:
            raise ArgError("a device can't be left to Linux later", "leave the element out", argument="ACTIVE")

    @staticmethod
    def _promisc(text: str | None) -> bool:
        """The second argument is PROMISC at user level and BURST, a number, in Linux and PollDevice."""
        if text is None:
            return False
        try:
            return Bool().parse(text)
        except ArgError:
            try:
                Integer(32, low=1).parse(text)
            except ArgError:
                raise ArgError(f"'{text}' is no truth value", argument="PROMISC") from None
            return False

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"cut": ("__u32", str(0xFFFFFFFF if self.cfg.snaplen is None else self.cfg.snaplen))}

    def receives_from(self) -> str | None:
        return self.cfg.devname

    @property
    def promiscuous(self) -> bool:
        return self.cfg.promisc

    @property
    def bears_offloads(self) -> bool:
        """What it doesn't cut."""
        return self.cfg.snaplen is None

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return super().annotations_written() if self.cfg.force_ip else ()

    @read_handler
    def count(self) -> str:
        return str(self.state.counters.sum("count"))

    @read_handler
    def encap(self) -> str:
        return "ETHER"

    @write_handler
    def reset_counts(self, text: str) -> None:
        self.state.counters.clear()
