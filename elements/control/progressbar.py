import math
import os
from collections.abc import Iterable
from enum import IntEnum

from clickbpf.declare import (
    NOWHERE, USER, ArgError, Bool, Context, Element, HandlerName, HandlerRef, Keyword, ListOf, Optional, Required, Right, Seconds, String,
    Type, read_handler, value_handlers, write_handler,
)

from ._bar import STALL, Moment

STDOUT, STDERR = 1, 2
NS = 10**9
NAMES = ListOf(HandlerRef())


class Status(IntEnum):
    FRESH, DRAWN, DONE, DEAD = range(4)


class Number(Type):
    """A real number; value float."""

    described = "a real number"

    def parse(self, text: str, context: Context = NOWHERE) -> float:
        try:
            value = float(text)
        except ValueError:
            raise self.wrong(text) from None
        if not math.isfinite(value):
            raise self.wrong(text)
        return value


class ProgressBar(Element, ports="0/0", runs=USER):
    """prints a progress bar to standard error

    Shows the position as a share of a size, and how long the rest will take:

        flows.pcap  74% |**************     | 23315KB    00:01 ETA

    Without a size, asterisks move to and fro. Nothing is drawn if standard error isn't a terminal, or this job isn't in its
    foreground.

    Handlers:

      - `pos`, `size` (read): position and size; `size` can be written.
      - `mark_stopped`, `mark_done` (write): draws the bar for the last time, as it is or as complete.
      - `active`, `banner`, `poshandler`, `sizehandler` (read, write): the arguments.

    Example:

        f :: FromDump(flows.pcap, STOP true) -> Discard;
        ProgressBar(f.filepos, f.filesize, BANNER flows.pcap);
    """

    operations = ("WAIT", "CLEAR")
    args = (
        Required("POSHANDLER", NAMES, "read handlers, separated by spaces; the position is the sum of their values. They are called each "
            "time the bar is drawn"),
        Optional("SIZEHANDLER", NAMES, (), "the same for the size; they are called when the bar is first drawn"),
        Keyword("UPDATE", Seconds(), NS // 4, "Time from one drawing to the next. Default is 0.25 seconds"),
        Keyword("BANNER", String(), "", "String. Comes before the bar"),
        Keyword("ACTIVE", Bool(), True, "Boolean. If false, nothing is drawn"),
        Keyword("DELAY", Seconds(), 0, "Time. Nothing is drawn until this time has passed. Default is 0"),
        Keyword("CHECK_STDOUT", Bool(), False, "Boolean. If true, nothing is drawn if standard output is a terminal, either"),
        Keyword("FIXED_SIZE", Number(), text="Number. The size, instead of SIZEHANDLER; without SIZEHANDLER the position is not shown"),
    )

    def configure(self) -> None:
        cfg = self.cfg
        self._active, self._banner, self._size = cfg.active, cfg.banner, cfg.fixed_size
        self._positions, self._sizes = cfg.poshandler, cfg.sizehandler
        self._status, self._reached = Status.FRESH, 0.0
        self._began = self._moved = self._stalled = 0

    def started(self) -> None:
        for name in (*self._sizes, *self._positions):
            self.runtime.handlers.readable(name.element, name.handler)
        if not os.isatty(STDERR) or (self.cfg.check_stdout and os.isatty(STDOUT)):
            self._status = Status.DEAD
        self._schedule()

    def finished(self) -> None:
        if self._status == Status.DRAWN:
            self._finish()

    # -- drawing ------------------------------------------------------------------------------------------------------

    def called(self, value: int) -> None:
        """The timer has expired: draw."""
        if not self._active or self._status >= Status.DONE:
            return
        self._begin()
        if not _in_foreground():
            self.runtime.control("WAIT", self.cfg.update)
        elif (left := self._began + self.cfg.delay - self.runtime.clock) > 0:
            self.runtime.control("WAIT", left)
        else:
            self._draw()
            self.runtime.control("WAIT", self.cfg.update)

    def _begin(self) -> None:
        """What is done once."""
        if self._status == Status.FRESH:
            if self._size is None:
                self._size = self._total(self._sizes)
            self._began = self._moved = self.runtime.clock
            self._reached, self._stalled, self._status = 0.0, 0, Status.DRAWN

    def _draw(self) -> None:
        position, now = self._total(self._positions), self.runtime.clock
        waited = now - self._moved
        if position is not None and position > self._reached:
            self._reached, self._moved = position, now
            if waited >= STALL * NS:
                self._stalled += waited
            waited = 0
        shown = Moment(
            position=position,
            size=self._size,
            seconds=(now - self._began - self._stalled) / NS,
            waited=waited / NS,
            done=self._status == Status.DONE,
            shows_position=self._size is None or bool(self._sizes),
            banner=self._banner,
        )
        _write(shown.line(_width()))

    def _finish(self) -> None:
        self._begin()
        self._status = Status.DONE
        if _in_foreground():
            self._draw()
        self._active = False

    def _total(self, names: Iterable[HandlerName]) -> float | None:
        """The sum of the handlers' values; None if there are none, or one isn't a number."""
        try:
            return sum(Number().parse(self.runtime.read(name).strip()) for name in names) if names else None
        except ArgError:
            return None

    def _schedule(self) -> None:
        if self.runtime is not None and self._active and self._status < Status.DONE:
            self.runtime.control("WAIT", 0)

    # -- handlers -----------------------------------------------------------------------------------------------------

    pos = read_handler(lambda self: f"{self._reached:.12g}")

    size = value_handlers(
        Number(), lambda self: f"{-1 if self._size is None else self._size:.12g}", lambda self, size: setattr(self, "_size", size)
    )

    mark_stopped = write_handler(lambda self, text: self._complete())

    @write_handler
    def mark_done(self, text: str) -> None:
        if self._active and self._status < Status.DONE:
            self._size = self._total(self._positions)
        self._complete()

    def _complete(self) -> None:
        if self._active and self._status < Status.DONE:
            self.runtime.control("CLEAR")
            self._finish()

    def _activate(self, active: bool) -> None:
        self._active = active
        self._schedule()

    active = value_handlers(Bool(), lambda self: self._active, _activate)

    @read_handler("banner")
    def read_banner(self) -> str:
        return self._banner

    @write_handler("banner")
    def write_banner(self, text: str) -> None:
        self._banner = text

    def _follow(self, names: tuple[HandlerName, ...], of_size: bool) -> None:
        """Add up these handlers from now on, after a check that they can be read."""
        if self.runtime is not None:
            for name in names:
                self.runtime.handlers.readable(name.element, name.handler)
        if of_size:
            self._sizes, self._size = names, None
        else:
            self._positions = names

    poshandler = value_handlers(NAMES, lambda self: self._positions, lambda self, names: self._follow(names, False), needs=Right.CALLS)
    sizehandler = value_handlers(NAMES, lambda self: self._sizes, lambda self, names: self._follow(names, True), needs=Right.CALLS)

    @write_handler
    def reset(self, text: str) -> None:
        """starts again, and draws from then on."""
        self._size = self.cfg.fixed_size
        self._active = True
        if self._status != Status.DEAD:
            self._status = Status.FRESH
        self._schedule()


def _in_foreground() -> bool:
    """Whether this job is in the terminal's foreground."""
    try:
        return os.tcgetpgrp(STDERR) == os.getpgrp()
    except OSError:
        return False


def _width() -> int:
    try:
        return os.get_terminal_size(STDERR).columns or 80
    except OSError:
        return 80


def _write(text: str) -> None:
    """Write all of the text, unless the reader is gone."""
    data = text.encode("utf-8", "surrogateescape")
    try:
        while data:
            data = data[os.write(STDERR, data) :]
    except OSError:
        pass
