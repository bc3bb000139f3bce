"""The screen of `clickbpf top`: the most active elements, or those that the user has scrolled to, in one of several orders."""

import os
import re
import select
import sys
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

#: The longest time in seconds before a key has an effect.
GLANCE = 0.1
#: Orders of the elements. Where not all fit, the configuration's order shows the most active ones.
ORDERS = ("configuration", "packets", "drops")
#: A key as a terminal sends it.
_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|.", re.DOTALL)
#: How far keys scroll, in lines and in pages.
LINES, PAGES = {"k": -1, "\x1b[A": -1, "j": 1, "\x1b[B": 1}, {"\x1b[5~": -1, " ": 1, "\x1b[6~": 1}
KEYS = "q: quit   s: order ({order})   arrows, j, k, page keys: scroll"


class View:
    """The part and the order of the elements that the user's keys have chosen."""

    def __init__(self) -> None:
        self.order, self.first, self.most = ORDERS[0], 0, 1

    def press(self, key: str) -> bool:
        """Act on a key; False if it quits."""
        if key == "s":
            self.order, self.first = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)], 0
        self.first = max(0, self.first + LINES.get(key, 0) + self.most * PAGES.get(key, 0))
        return key not in ("q", "Q")

    def shown(self, elements: Sequence[Any], most: int) -> Sequence[Any]:
        """At most `most` of the elements, in the chosen order."""
        self.most = max(1, most)
        self.first = min(self.first, max(0, len(elements) - self.most))
        if self.order == "packets":
            elements = sorted(elements, key=lambda e: -e.rate)
        elif self.order == "drops":
            elements = sorted(elements, key=lambda e: (-e.drop_rate, -e.dropped))
        elif not self.first:
            busy = sorted(range(len(elements)), key=lambda i: (-elements[i].rate - elements[i].drop_rate, i))[: self.most]
            return [elements[i] for i in sorted(busy)]
        return elements[self.first : self.first + self.most]


def watch(seen: Iterator[Any], page: Callable[[Any, View, int], Any]) -> None:
    """Show `page(period, view, lines)` on the whole screen, again for each period and key, until `q` or an interrupt; then restore
    the terminal."""
    from rich.console import Console
    from rich.live import Live

    console, view, period = Console(highlight=False), View(), None
    periods: SimpleQueue = SimpleQueue()
    threading.Thread(target=_collect, args=(seen, periods), daemon=True).start()
    with _keys() as pressed, Live(console=console, screen=True, auto_refresh=False) as live:
        while True:
            keys = pressed()
            if not all(map(view.press, keys)):
                return
            news = not periods.empty()
            if news and isinstance(period := periods.get(), BaseException):
                raise period
            if period is not None and (news or keys):
                live.update(page(period, view, console.height), refresh=True)


def _collect(seen: Iterator[Any], periods: SimpleQueue) -> None:
    """Put each period into the queue, and at the end the error that ended them."""
    try:
        for period in seen:
            periods.put(period)
    except BaseException as error:
        periods.put(error)


@contextmanager
def _keys() -> Iterator[Callable[[], list[str]]]:
    """A function that waits a moment and returns the keys pressed; without a terminal, none."""
    if not sys.stdin.isatty():
        yield lambda: time.sleep(GLANCE) or []
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        yield lambda: _KEY.findall(os.read(terminal, 256).decode(errors="replace")) if select.select([terminal], [], [], GLANCE)[0] else []
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
