"""The base of RatedUnqueue and BandwidthRatedUnqueue."""

from clickbpf.declare import ANEW, PULL_TO_PUSH, USER, Bool, Held, Private, field_handlers, read_handler, u8, u32

from ..common._bucket import BUCKET, ClicksBucketElement

#: The classes' manual pages.
MANUAL = """pull-to-push converter with a rate of {unit}

    Pulls packets, at most RATE {unit} per second, and pushes them out. A token bucket of the size of a burst, refilled each
    millisecond, limits the rate. Sleeps while there are no packets or no tokens.

    Example: FromDevice(eth0) -> Queue -> {name}({example}) -> Counter -> Discard;
    """


class RatedUnqueueElement(ClicksBucketElement, ports="1/1", processing=PULL_TO_PUSH, runs=USER):
    """A rate-limited task that pulls packets."""

    wakes = ("timer", "init", "control")
    state_types = {
        "bucket": BUCKET,
        "unqueue": Private(runs=u32, empty_runs=u32, pushes=u32, failed_pulls=u32, active=u8),
    }
    holds = (Held("tokens", ANEW, ANEW),)

    def initialise(self) -> None:
        super().initialise()
        self.state.unqueue.active = True

    @read_handler
    def calls(self) -> str:
        """counts of the task's runs, and of their results."""
        unqueue = self.state.unqueue
        return (
            f"{unqueue.runs} calls to run_task()\n{unqueue.empty_runs} empty runs\n"
            f"{unqueue.pushes} pushes\n{unqueue.failed_pulls} failed pulls\n"
        )

    active = field_handlers("unqueue", Bool(), "assigned", text="false stops it")

    def assigned(self) -> None:
        self.notify()
