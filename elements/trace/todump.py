import os

from clickbpf.declare import (
    ALL, ANEW, KEPT, PASSES, USER, ArgError, Bool, Element, ElementRef, Filename, HandlerName, Held, Integer, Keyword, ListOf,
    Look, Optional, Private, Required, Self, ptr, read_handler, reset_handler, s32, sum_handler, u8, u64,
)

from ._dump import LINK_TYPES, Compressor, LinkType, empty, format_of, open_for_writing


class ToDump(Element, ports="1/0-1", runs=USER, traits=PASSES):
    """writes packets to a tcpdump file

    Writes packets to FILENAME in the format of `tcpdump -w`; `-` is the standard output. The suffixes `.gz`, `.bz2`, `.xz` and `.Z`
    select compression (`.Z` by the command compress). Packets go on by the output, if there is one. In a pull context without an
    output, the element pulls as long as there are packets.

    Example: FromDevice(eth0) -> ToDump(trace.pcap, SNAPLEN 0) -> Discard;
    """

    operations = ("OPEN", "GO", "CLOSE")
    args = (
        Required("FILENAME", Filename()),
        Optional("SNAPLEN", Integer(32), 2000, "Integer. Bytes of each packet to write, 0 for all"),
        Optional("ENCAP", LinkType(), text="Link type of the packets: ETHER, IP, FDDI, ATM, 802_11, SLL, AIRONET, HDLC, PPP_HDLC, PPP, "
            "SUNATM, PRISM, 802_11_RADIO, NULL, or libpcap's number as `#123`. Default is ETHER"),
        Keyword("USE_ENCAP_FROM", ListOf(ElementRef()), (), "Elements to take the link type from: their `encap` handlers must all report "
            "the same; not with ENCAP"),
        Keyword("EXTRA_LENGTH", Bool(), True, "Boolean. Add the annotation EXTRA_LENGTH to the recorded length"),
        Keyword("UNBUFFERED", Bool(), False, "Boolean. Write each packet to the file at once"),
        Keyword("NANO", Bool(), True, "Boolean. If false, timestamps are written in microseconds, not in nanoseconds"),
    )
    state_types = {"writer": Private(dump=ptr, count=u64, fd=s32, link=s32, active=u8)}
    holds = (Held("the file that it writes", KEPT, ANEW),)
    derived = {"format": ("int", lambda self: format_of(self.cfg.filename))}

    def configure(self) -> None:
        self._fd: int | None = None
        self._compressor: Compressor | None = None
        if self.cfg.encap is not None and self.cfg.use_encap_from:
            raise ArgError("ENCAP and USE_ENCAP_FROM are mutually exclusive", argument="USE_ENCAP_FROM")

    def shown(self) -> Look:
        return Look(data=min(self.cfg.snaplen or ALL, ALL))

    def hotswap_element(self) -> Self | None:
        """An element with the same file and the same kind of packets, to continue the file."""
        before = super().hotswap_element()
        alike = ("filename", "snaplen", "encap", "use_encap_from", "nano")
        return before if before and all(getattr(before.cfg, name) == getattr(self.cfg, name) for name in alike) else None

    def initialise(self) -> None:
        if not self.hotswap_element():
            self._compressor = Compressor(self.cfg.filename, open_for_writing(self.cfg.filename))
            self.state.writer.fd = self._fd = self._compressor.fd

    def take_state(self, before: Self) -> None:
        own, old = self.state.writer, before.state.writer
        own.link, own.active, own.dump = old.link, old.active, old.dump
        old.dump = old.active = 0
        self._compressor, before._compressor = before._compressor, None
        self.runtime.control("GO")

    def finished(self) -> None:
        """Complete the file. Python closes a file that was never written to, C any other."""
        if self._fd is not None and self.state.writer.fd == self._fd:
            os.close(self._fd)
        elif self.state.writer.dump:
            self.runtime.control("CLOSE")
        if self._compressor is not None:
            self._compressor.wait()
        self._fd = None

    def started(self) -> None:
        """All elements are initialised: those named by USE_ENCAP_FROM know their link types."""
        if self.hotswap_element():
            return
        self.state.writer.link = self._link_type()
        empty(self.cfg.filename, self._fd)
        if self.runtime.control("OPEN"):
            raise ArgError(f"{self.cfg.filename}: {self.runtime.complaint()}", argument="FILENAME")

    def _link_type(self) -> int:
        if not self.cfg.use_encap_from:
            return LINK_TYPES["ETHER"] if self.cfg.encap is None else self.cfg.encap
        first, *others = (self.runtime.read(HandlerName(element, "encap")) for element in self.cfg.use_encap_from)
        if any(other != first for other in others):
            raise ArgError("these elements have different link types", argument="USE_ENCAP_FROM")
        try:
            return LinkType().parse(first.strip())
        except ArgError:
            raise ArgError(f"the link type {first} can't be written", argument="USE_ENCAP_FROM") from None

    count = sum_handler("writer")
    reset_counts = reset_handler("writer", "count")
    filename = read_handler(lambda self: self.cfg.filename)
