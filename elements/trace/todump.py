from __future__ import annotations

import os
from enum import IntEnum

from clickbpf.args import Bool, ElementRef, Filename, Integer, Keyword, ListOf, Optional, Required
from clickbpf.args.error import ArgError
from clickbpf.args.values import HandlerName
from clickbpf.vocabulary.element import PASSES, USER, Element, read_handler, sum_handler, write_handler
from clickbpf.vocabulary.held import ANEW, KEPT, Held
from clickbpf.vocabulary.looks import ALL, Look
from clickbpf.vocabulary.state import Private, ptr, s32, u8, u64

from ._dump import LINK_TYPES, Compressor, LinkType, format_of, open_for_writing


class Operation(IntEnum):
    """Operations of CONTROL."""

    OPEN, GO, CLOSE = range(3)


class ToDump(Element):
    """writes packets to a tcpdump file

    Synopsis: `ToDump(FILENAME [, SNAPLEN, ENCAP, KEYWORD ...])`

    Writes packets to FILENAME in the format of `tcpdump -w`; `-` is the standard output. A file whose name ends in `.gz`, `.bz2`,
    `.xz` or `.Z` is compressed accordingly (`.Z` by the command compress). Packets go on by the output, if there is one. In a
    pull context without an output, the element pulls as long as there are packets.

    Arguments:

      - SNAPLEN: Integer. Bytes of each packet to write, 0 for all. Default is 2000.
      - ENCAP: Link type of the packets: ETHER, IP, FDDI, ATM, 802_11, SLL, AIRONET, HDLC, PPP_HDLC, PPP, SUNATM, PRISM,
        802_11_RADIO, NULL, or libpcap's number as `#123`. Default is ETHER.
      - USE_ENCAP_FROM: Elements whose `encap` handlers all report the same link type, which is used; not with ENCAP.
      - EXTRA_LENGTH: Boolean. Add the annotation EXTRA_LENGTH to the length that is recorded. Default is true.
      - UNBUFFERED: Boolean. Write each packet to the file at once. Default is false.
      - NANO: Boolean. If false, timestamps are written in microseconds, not in nanoseconds. Default is true.

    Handlers: `count`, `reset_counts`, `filename`.

    Example:

        FromDevice(eth0) -> ToDump(trace.pcap, SNAPLEN 0) -> Discard;
    """

    ports = "1/0-1"
    runs = USER
    looks = PASSES
    entries = ("task", "cleanup", "control")
    enums = (Operation,)
    args = (
        Required("FILENAME", Filename()),
        Optional("SNAPLEN", Integer(32), 2000),
        Optional("ENCAP", LinkType()),
        Keyword("USE_ENCAP_FROM", ListOf(ElementRef()), ()),
        Keyword("EXTRA_LENGTH", Bool(), True),
        Keyword("UNBUFFERED", Bool(), False),
        Keyword("NANO", Bool(), True),
    )
    state_types = {"writer": Private(dump=ptr, count=u64, fd=s32, link=s32, active=u8)}
    holds = (Held("the file that it writes", KEPT, ANEW),)

    def configure(self) -> None:
        self._fd: int | None = None
        self._compressor: Compressor | None = None
        if self.cfg.encap is not None and self.cfg.use_encap_from:
            raise ArgError("ENCAP and USE_ENCAP_FROM are mutually exclusive", argument="USE_ENCAP_FROM")

    def constants(self):
        return {"format": ("int", str(format_of(self.cfg.filename)))}

    def shown(self) -> Look:
        return Look(data=min(self.cfg.snaplen or ALL, ALL))

    def hotswap_element(self) -> ToDump | None:
        """One that writes the same kind of packets into the same file, which goes on."""
        before = super().hotswap_element()
        alike = ("filename", "snaplen", "encap", "use_encap_from", "nano")
        return before if before and all(getattr(before.cfg, name) == getattr(self.cfg, name) for name in alike) else None

    def initialise(self) -> None:
        if not self.hotswap_element():
            self._compressor = Compressor(self.cfg.filename, open_for_writing(self.cfg.filename))
            self.state.writer.fd = self._fd = self._compressor.fd

    def take_state(self, before: ToDump) -> None:
        own, old = self.state.writer, before.state.writer
        own.link, own.active, own.dump = old.link, old.active, old.dump
        old.dump = old.active = 0
        self._compressor, before._compressor = before._compressor, None
        self.runtime.control(Operation.GO)

    def finished(self) -> None:
        """The file is whole when this is over. One that was never written to is closed here, others by the C side."""
        if self._fd is not None and self.state.writer.fd == self._fd:
            os.close(self._fd)
        elif self.state.writer.dump:
            self.runtime.control(Operation.CLOSE)
        if self._compressor is not None:
            self._compressor.wait()
        self._fd = None

    def started(self) -> None:
        """All elements are initialised: those named by USE_ENCAP_FROM know their link types."""
        if self.hotswap_element():
            return
        self.state.writer.link = self._link_type()
        if self.runtime.control(Operation.OPEN):
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

    @write_handler
    def reset_counts(self, text: str) -> None:
        self.state.writer.count = 0

    @read_handler
    def filename(self) -> str:
        return self.cfg.filename
