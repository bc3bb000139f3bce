from __future__ import annotations

import sys

from clickbpf.args import Bool, HandlerCall, Keyword, Required
from clickbpf.errors import ClickError
from clickbpf.vocabulary.element import USER, Element, field_handlers, sum_handler
from clickbpf.vocabulary.state import Private, u8, u64


class HandlerTask(Element):
    """calls a write handler each time it is scheduled

    Synopsis: `HandlerTask(HANDLER [, ACTIVE ..., RESCHEDULE ...])`

    Has a task like those of Unqueue and InfiniteSource, which only calls a handler. With RESCHEDULE the task is scheduled again
    each time it has run; its thread then never sleeps.

    Arguments:

      - HANDLER: `ELEMENT.HANDLER [VALUE]`, a write handler.
      - ACTIVE: Boolean. If false, it waits until true is written to `scheduled`. Default is true.
      - RESCHEDULE: Boolean. Whether the task is scheduled again each time it has run. Default is false.

    Ports: none.

    Handlers: `count`, how often the task has run; `scheduled`, whether it will run (read/write); `reschedule` (read/write).

    Example:

        FromDevice(eth0) -> c :: Counter -> Discard;
        once :: HandlerTask(c.reset, ACTIVE false);
        Script(wait 1s, write once.scheduled true);
    """

    ports = "0/0"
    runs = USER
    entries = ("task", "init", "control")
    args = (
        Required("HANDLER", HandlerCall()),
        Keyword("ACTIVE", Bool(), True),
        Keyword("RESCHEDULE", Bool(), False),
    )
    state_types = {"vars": Private(count=u64, scheduled=u8, reschedule=u8)}
    holds = ()

    def initialise(self) -> None:
        self.state.vars.scheduled, self.state.vars.reschedule = self.cfg.active, self.cfg.reschedule

    def called(self, value: int) -> None:
        """The task runs."""
        try:
            self.runtime.write(self.cfg.handler)
        except ClickError as error:
            sys.stderr.write(f"{self.name}: {error.render()}")

    count = sum_handler("vars")
    scheduled = field_handlers("vars", Bool(), "notify")
    reschedule = field_handlers("vars", Bool())
