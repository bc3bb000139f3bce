from collections.abc import Iterable

from clickbpf.declare import (
    ANEW, PULL_TO_PUSH, USER, ArgError, Bool, ElementRef, Held, Integer, Keyword, ListOf, Optional, Private, Watcher,
    read_handler, u64,
)

DEPRECATED = "Unqueue2 is deprecated, you should probably use Unqueue"


class Unqueue2(Watcher, processing=PULL_TO_PUSH, runs=USER):
    """pull-to-push converter that stops while Queues are full

    Pulls packets and pushes them to its output: each time it is scheduled at most BURST, and at most as many as the fullest of
    QUEUES has room for. While one of these is full it pulls nothing. Click's manual recommends Unqueue instead, and so does the
    warning that this element prints unless QUIET.

    Example: FromDevice(eth0) -> Queue -> Unqueue2(8, QUIET true) -> Queue(16) -> DelayShaper(1ms) -> ToDevice(eth1);
    """

    wakes = ("timer", "init")
    args = (
        Optional("BURST", Integer(32, signed=True), 1, "Integer. Default is 1; if 0 or negative, it pulls until there are no packets"),
        Keyword("QUEUES", ListOf(ElementRef()), (), "the Queues, separated by spaces. Default is the nearest ones after its output"),
        Keyword("QUIET", Bool(), False, "Boolean"),
    )
    state_types = {"passed": Private(count=u64)}
    holds = (Held("how many packets it has passed on", ANEW, ANEW),)
    derived = {"named": ("bool", lambda self: self.cfg.queues)}

    def configure(self) -> None:
        for name in self.cfg.queues:
            class_ = self.context.class_of(name)
            if class_ and getattr(class_, "storage", None) is None:
                raise ArgError("bad QUEUES", f"'{name}' stores no packets; expected Queues or the like", argument="QUEUES")

    def warnings(self) -> Iterable[ArgError]:
        if not self.cfg.quiet:
            yield ArgError(DEPRECATED, in_click=DEPRECATED)

    def watches(self) -> tuple[str, ...]:
        return self.cfg.queues

    packets = read_handler(lambda self: f"{self.state.passed.count} packets\n", text="how many packets passed.")
