import os
import sys

from clickbpf.declare import (
    ANEW, KEPT, SAME, ArgError, Bool, ClickError, Constants, Filename, HandlerCall, Held, Integer, Keyword, Optional, Private, Required,
    Self, String, Time, c_string, control_handler, ptr, read_handler, reset_handler, s32, s64, sum_handler, u64, u8, value_handlers,
    write_handler,
)

from ._dump import LinkType, is_plain, open_for_reading
from ._sampling import SAMPLE, SamplingElement


class FromDump(SamplingElement, ports="0/1-2", processing="a/ah"):
    """reads packets from a tcpdump file

    Reads packets from a file written by `tcpdump -w` or ToDump, optionally compressed by gzip, bzip2 or xz, and emits them with
    their recorded timestamps. FILENAME `-` is the standard input. The annotation EXTRA_LENGTH counts a packet's unrecorded bytes.

    Example: FromDump(trace.pcap, STOP true) -> Counter -> Discard;
    """

    operations = ("RESCHEDULE", "RESET_TIMING", "SEEK")
    args = (
        Required("FILENAME", Filename()),
        Optional("TIMING", Bool(), False, "Boolean. Keep the intervals between the packets. Default is false: as fast as possible"),
        Keyword("STOP", Bool(), False, "Boolean. Stop the driver at the end"),
        Keyword("ACTIVE", Bool(), True, "Boolean. If false, nothing is read until the handler `active` is "
            "written", setting="reader", then="_reschedule"),
        SAMPLE,
        Keyword("FORCE_IP", Bool(), False, "Boolean. Emit only IP packets, with their network header annotation set; others leave by "
            "output 1 or are dropped. This is always done with dumps of the link type IP"),
        Keyword("START", Time(9), text="Time. Skip packets before this time, in seconds since 1970, or since the first packet"),
        Keyword("START_AFTER", Time(9), text=SAME),
        Keyword("END", Time(9), text="Time. Stop at the first packet at or after this time, in seconds since 1970, since the first packet, "
            "or since the first packet that was emitted"),
        Keyword("END_AFTER", Time(9), text=SAME),
        Keyword("INTERVAL", Time(9), text=SAME),
        Keyword("END_CALL", HandlerCall(), text="A write handler to call at the end; not with STOP. If the handler moves the end by "
            "`extend_interval`, or leaves this element active, reading goes on. By default the element becomes inactive at the end"),
        Keyword("FILEPOS", Integer(64), 0, "Integer. Begin at this byte of the decompressed file, which must be the beginning of a packet"),
        Keyword("MMAP", Bool(), False),
        Keyword("BURST", Integer(32), text="Accepted, of no effect. An argument of FastClick"),
        Keyword("TIMING_FNT", String(), "", "An argument of FastClick. It must be empty with TIMING, and has no effect otherwise"),
    )
    annotations = ("EXTRA_LENGTH",)
    state_types = {
        "reader": Private(
            dump=ptr, waiting=ptr, count=u64, first=u64, last=u64, offset=s64, position=u64, packet_position=u64,
            fd=s32, link=s32, active=u8, ended=u8, started=u8, has_first=u8, has_last=u8, absolute=u8, forces_ip=u8,
        )
    }  # fmt: skip
    holds = (Held("how far it has read", KEPT, ANEW),)

    #: The format of the cells (userspace/cells.h), for dumps in cells.
    cells = 0

    def configure(self) -> None:
        cfg = self.cfg
        self._plain = False
        _at_most_one(cfg, "START", "START_AFTER")
        _at_most_one(cfg, "END", "END_AFTER", "INTERVAL")
        if cfg.stop and cfg.end_call:
            raise ArgError("END_CALL and STOP are mutually exclusive", argument="STOP")
        if cfg.timing and cfg.timing_fnt:
            raise ArgError("TIMING_FNT isn't supported", "TIMING keeps the intervals as they are", argument="TIMING_FNT")

    def constants(self) -> Constants:
        cfg = self.cfg
        flags = {
            "calls": bool(cfg.end_call),
            "first_is_relative": cfg.start is None,
            "last_is_relative": cfg.end_after is not None,
            "last_is_interval": cfg.interval is not None,
            "has_end": self._end() is not None,
        }
        texts = {"cells": ("int", str(self.cells)), "name": ("const char *", c_string(cfg.filename))}
        return {**texts, **{name: ("bool", Bool().c_value(value)) for name, value in flags.items()}}

    def initialise(self) -> None:
        cfg, reader = self.cfg, self.state.reader
        reader.active = cfg.active
        reader.has_first = cfg.start is not None or cfg.start_after is not None
        reader.first = cfg.start or cfg.start_after or 0
        reader.has_last, reader.last = self._end() is not None, self._end() or 0
        if self.hotswap_element():
            reader.fd = -1
        else:
            reader.fd = self._fd = open_for_reading(cfg.filename)
            self._plain = is_plain(self._fd)

    def hotswap_element(self) -> Self | None:
        """An element with the same file, to continue reading it."""
        before = super().hotswap_element()
        return before if before and before.cfg.filename == self.cfg.filename else None

    def take_state(self, before: Self) -> None:
        own, old = self.state.reader, before.state.reader
        self._plain = before._plain
        for field in ("dump", "waiting", "link", "forces_ip", "position", "packet_position"):
            setattr(own, field, getattr(old, field) or 0)
        own.forces_ip |= bool(self.cfg.force_ip)
        self.runtime.adopt_packets(before, int(bool(own.waiting)))
        old.dump = old.waiting = old.active = 0
        self.notify("RESCHEDULE")

    def _end(self) -> int | None:
        """END, END_AFTER or INTERVAL."""
        cfg = self.cfg
        return next((time for time in (cfg.end, cfg.end_after, cfg.interval) if time is not None), None)

    def called(self, value: int) -> None:
        """The end is reached."""
        try:
            self.runtime.write(self.cfg.end_call)
        except ClickError as error:
            sys.stderr.write(f"{self.name}: {error.render()}")

    count = sum_handler("reader")
    reset_counts = reset_handler("reader", "count")
    filename = read_handler(lambda self: self.cfg.filename)

    @read_handler
    def filesize(self) -> str:
        """the size of the file. As in Click, not known for a compressed file or a pipe."""
        try:
            return str(os.stat(self.cfg.filename).st_size) if self._plain else "-"
        except OSError:
            return "-"

    def _seek(self, position: int) -> None:
        error = self.runtime.control("SEEK", position)
        if error:
            raise ArgError(f"{self.cfg.filename}: {os.strerror(-error)}")

    filepos = value_handlers(Integer(64), lambda self: self.state.reader.position, _seek,
        text="the position of the next packet in the decompressed file.")
    packet_filepos = sum_handler("reader", "packet_position", text="the position of the previous packet")
    encap = read_handler(lambda self: LinkType().unparse(self.state.reader.link), text="the link type")

    def _reschedule(self) -> None:
        self.notify("RESCHEDULE")

    @write_handler
    def extend_interval(self, text: str) -> None:
        """moves the end by a time."""
        reader = self.state.reader
        reader.last += Time(9).parse(text.strip())
        if self.cfg.stop or self.cfg.end_call or self._end() is not None:
            reader.has_last = reader.active = True
            self.notify("RESCHEDULE")

    reset_timing = control_handler("RESET_TIMING")


def _at_most_one(cfg, *names: str) -> None:
    given = [name for name in names if getattr(cfg, name.lower()) is not None]
    if len(given) > 1:
        raise ArgError(f"{' and '.join(given)} are mutually exclusive", argument=given[1])
