"""What RED and CoDel have in common: they watch Queues, which are arguments or found near them."""

from clickbpf.declare import ELIDABLE, USER, ArgError, ElementRef, Keyword, ListOf, Storage, Watcher, read_handler, sum_handler

QUEUES = Keyword("QUEUES", ListOf(ElementRef()), (), "names of the Queues that the handlers report on, instead of the nearest ones before "
    "it")


class WatchingElement(Watcher, runs=USER, traits=ELIDABLE):
    """C files have the watched Queues' packets as watched_length(); CONTROL reports drops to the state `drop`, which counts them."""

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
