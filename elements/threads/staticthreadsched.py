import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from clickbpf.declare import ArgError, Integer, ThreadHomes, split_words_at, unquote

from ..common._entries import InformationElement

THREAD = Integer(32, signed=True)
SOCKETS = Path("/sys/devices/system/node")


class StaticThreadSched(ThreadHomes, InformationElement):
    """binds elements to threads

    Synopsis: `StaticThreadSched(ELEMENT THREAD, ...)`

    Tasks and timers of an element run on one thread, its home: the one given here, or else thread 0. A router has as many
    threads as `--threads` says. Receive queues of a FromDevice belong to its home, too; without one they are distributed over the
    threads.

    ELEMENT may be a compound, for all elements in it. The name is looked up in the compound around the StaticThreadSched first,
    then outwards. If several entries name an element, the last one counts.

    Arguments:

      - ELEMENT THREAD: an element or compound, and a thread's number, from 0. With -1 nothing of it runs. A number without a thread
        means 0. FastClick's form SOCKET/CORE means the CPU with that number among those of a socket, and the thread with the CPU's
        number. An ELEMENT that doesn't exist causes a warning, not an error.

    Example: two lines of work side by side:

        FromDevice(eth0) -> a :: Queue -> ua :: Unqueue -> Discard;
        FromDevice(eth1) -> b :: Queue -> ub :: Unqueue -> Discard;
        StaticThreadSched(ua 0, ub 1);
    """

    def configure(self) -> None:
        self._homes: dict[str, int] = {}
        self._strange: list[ArgError] = []
        self.each_entry(self._read)

    def warnings(self) -> Iterable[ArgError]:
        return self._strange

    def _read(self, text: str) -> Iterator[ArgError]:
        found = split_words_at(text)
        if len(found) != 2:
            yield ArgError("expected 'ELEMENT THREAD'")
            return
        (name, at), (number, after) = found
        elements = self._elements(unquote(name))
        if not elements:
            index = self.cfg.entry.index(text)
            self._strange.append(ArgError(f"'{unquote(name)}' does not name an element", argument="ENTRY", index=index, offset=at))
        try:
            self._homes |= dict.fromkeys(elements, _thread(number))
        except ArgError as error:
            yield ArgError(f"THREAD: {error.message}", error.hint, offset=after)

    def _elements(self, name: str) -> list[str]:
        """The element with a name, or the elements of the compound with that name."""
        one = self.context.find(name)
        if one is not None:
            return [one]
        inside = self.name[: self.name.rfind("/") + 1] + name.rstrip("/") + "/"
        return [e.name for e in self.context.router.elements if e.name.startswith(inside)]

    def home_threads(self) -> Mapping[str, int]:
        return self._homes


def _thread(text: str) -> int:
    socket, slash, core = text.partition("/")
    if not slash:
        return THREAD.parse(text)
    number, place = Integer(32).parse(core), Integer(32).parse(socket)
    here = sorted(int(cpu.name.removeprefix("cpu")) for cpu in (SOCKETS / f"node{place}").glob("cpu[0-9]*"))
    processors = here or (range(os.cpu_count() or 1) if place == 0 else [])
    if number >= len(processors):
        raise ArgError(f"socket {place} has no processor {number}")
    return processors[number]
