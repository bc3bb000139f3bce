import sys

from clickbpf.declare import USER, Bool, ClickError, Element, HandlerCall, Keyword, Private, Required, field_handlers, sum_handler, u8, u64


class HandlerTask(Element, ports="0/0", runs=USER):
    """calls a write handler each time it is scheduled

    Has a task, like Unqueue and InfiniteSource, that only calls a handler. With RESCHEDULE, the task is scheduled again after each
    run, and its thread never sleeps.

    Example:

        FromDevice(eth0) -> c :: Counter -> Discard;
        once :: HandlerTask(c.reset, ACTIVE false);
        Script(wait 1s, write once.scheduled true);
    """

    args = (
        Required("HANDLER", HandlerCall(), "`ELEMENT.HANDLER [VALUE]`, a write handler"),
        Keyword("ACTIVE", Bool(), True, "Boolean. If false, it waits until true is written to `scheduled`"),
        Keyword("RESCHEDULE", Bool(), False, "Boolean. Whether the task is scheduled again after each run", setting="vars"),
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

    count = sum_handler("vars", text="how often the task has run")
    scheduled = field_handlers("vars", Bool(), "notify", text="whether it will run")
