"""The base of RED and CoDel: they watch Queues, given as arguments or found nearby."""

from clickbpf.declare import ELIDABLE, USER, ArgError, ElementRef, Keyword, ListOf, Storage, Watcher, read_handler, sum_handler

QUEUES = Keyword("QUEUES", ListOf(ElementRef()), (), "names of the Queues that handlers report on, instead of the nearest ones upstream")


class WatchingElement(Watcher, runs=USER, traits=ELIDABLE):
    """In C, watched_length() is the number of packets in the watched Queues; the state `drop` counts drops."""

    same_form = True
    _watched: tuple[str, ...] = ()

    def configure(self) -> None:
        for name in self.cfg.queues:
            class_ = self.context.class_of(name)
            if class_ and not issubclass(class_, Storage):
                raise ArgError(f"'{name}' is not a Storage element", "expected Queues or the like", argument="QUEUES")

    def watches(self) -> tuple[str, ...]:
        return self.cfg.queues

    def initialise(self) -> None:
        super().initialise()
        if self.runtime is not None:
            self._watched = self.runtime.watched()
            if not self._watched:
                raise ArgError("no nearby Queues", "put a Queue next to it, or name one as QUEUES")

    def _current(self) -> int:
        """Packets in the Queues."""
        self.notify()
        return self.state.drop.waiting

    drops = sum_handler("drop", "count", text="packets dropped")
    queues = read_handler(lambda self: "".join(f"{name}\n" for name in self._watched), text="names of the Queues, one a line")
