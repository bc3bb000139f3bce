"""StaticThreadSched: which element runs on which thread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from clickbpf.args import ArgError, Integer
from clickbpf.lang.config import split_words_at, unquote

from ..common._entries import InformationElement

THREAD = Integer(32, signed=True)


class StaticThreadSched(InformationElement):
    """binds elements to threads

    Synopsis: `StaticThreadSched(ELEMENT THREAD, ...)`

    Tasks and timers of an element run on one thread, its home: the one given here, or else thread 0. A router has as many
    threads as `--threads` says. Receive queues of a FromDevice belong to its home too; where none is given, they go
    round the threads.

    ELEMENT may be a compound: then all elements in it are meant. It is looked for in the compound around the
    StaticThreadSched first, then outwards. Of several words about an element the last one counts.

    Arguments:

      - ELEMENT THREAD: an element or compound, and a thread's number, from 0. Nothing of it runs if that is -1. A number
        without a thread means 0.

    Ports: none.

    Example: two lines of work side by side:

        FromDevice(eth0) -> a :: Queue -> ua :: Unqueue -> Discard;
        FromDevice(eth1) -> b :: Queue -> ub :: Unqueue -> Discard;
        StaticThreadSched(ua 0, ub 1);
    """

    def configure(self) -> None:
        self._homes: dict[str, int] = {}
        self.each_entry(self._read)

    def _read(self, text: str) -> Iterator[ArgError]:
        found = split_words_at(text)
        if len(found) != 2:
            yield ArgError("expected 'ELEMENT THREAD'")
            return
        (name, at), (number, after) = found
        elements = self._elements(unquote(name))
        if not elements:
            yield ArgError(f"'{unquote(name)}' does not name an element", offset=at)
        try:
            self._homes |= dict.fromkeys(elements, THREAD.parse(number))
        except ArgError as error:
            yield ArgError(f"THREAD: {error.message}", error.hint, offset=after)

    def _elements(self, name: str) -> list[str]:
        """The element of that name, or those in the compound of that name beside this one."""
        one = self.context.find(name)
        if one is not None:
            return [one]
        inside = self.name[: self.name.rfind("/") + 1] + name.rstrip("/") + "/"
        return [e.name for e in self.context.router.elements if e.name.startswith(inside)]

    def home_threads(self) -> Mapping[str, int]:
        return self._homes
