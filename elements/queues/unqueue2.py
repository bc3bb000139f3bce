from __future__ import annotations

from collections.abc import Iterable, Mapping

from clickbpf.args import ArgError, Bool, ElementRef, Integer, Keyword, ListOf, Optional
from clickbpf.vocabulary.element import PULL_TO_PUSH, USER, Element, read_handler
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Private, u64

DEPRECATED = "Unqueue2 is deprecated, you should probably use Unqueue"


class Unqueue2(Element):
    """pull-to-push converter that stops while Queues are full

    Synopsis: `Unqueue2([BURST, QUEUES ..., QUIET ...])`

    Pulls packets and pushes them out of its output, each time it is scheduled at most BURST, and no more than the fullest of
    some Queues has room for. While one of them is full it pulls nothing. Click's manual recommends Unqueue instead, and
    so does the warning that this element prints unless QUIET.

    Arguments:

      - BURST: Integer. Default is 1; 0, or less, pulls until nothing comes back.
      - QUEUES: the Queues, separated by spaces. Default is the nearest ones after its output.
      - QUIET: Boolean. Default is false.

    Handlers:

      - `packets` (read): how many packets passed.

    Example:

        FromDevice(eth0) -> Queue -> Unqueue2(8, QUIET true) -> Queue(16) -> DelayShaper(1ms) -> ToDevice(eth1);
    """

    processing = PULL_TO_PUSH
    runs = USER
    entries = ("task", "timer", "init")
    wakes = ("timer", "init")
    args = (
        Optional("BURST", Integer(32, signed=True), 1),
        Keyword("QUEUES", ListOf(ElementRef()), ()),
        Keyword("QUIET", Bool(), False),
    )
    state_types = {"passed": Private(count=u64)}
    holds = (Held("how many packets it has passed on", ANEW, ANEW),)

    def configure(self) -> None:
        for name in self.cfg.queues:
            class_ = self.context.class_of(name)
            if class_ and getattr(class_, "storage", None) is None:
                raise ArgError("bad QUEUES", f"'{name}' stores no packets; expected Queues or the like", argument="QUEUES")

    def warnings(self) -> Iterable[ArgError]:
        if not self.cfg.quiet:
            yield ArgError(DEPRECATED, in_click=DEPRECATED)

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"named": ("bool", "true" if self.cfg.queues else "false")}

    def watches(self) -> tuple[str, ...]:
        return self.cfg.queues

    @read_handler
    def packets(self) -> str:
        return f"{self.state.passed.count} packets\n"
