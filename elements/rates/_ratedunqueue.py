"""What RatedUnqueue and BandwidthRatedUnqueue have in common."""

from __future__ import annotations

from clickbpf.args import Bool
from clickbpf.vocabulary.element import PULL_TO_PUSH, USER, field_handlers, read_handler
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Private, u8, u32

from ..common._bucket import ARGUMENTS_TEXT, BUCKET, BucketElement

#: The classes' manual pages.
MANUAL = f"""pull-to-push converter with a rate of {{unit}}

    Synopsis: `{{name}}(RATE [, BURST_DURATION ..., {{size}} ...])`

    Pulls packets, at most RATE {{unit}} per second, and pushes them by its output. It is a token bucket, refilled each
    millisecond, whose size is a burst. It sleeps while there are no packets or no tokens.

    Arguments:

      {ARGUMENTS_TEXT}

    Ports: one pull input, one push output.

    Handlers:

      - `rate` (read, write), `config` (read): RATE, read as the bucket rounds it.
      - `active` (read, write): false stops it.
      - `calls` (read): how often it ran, and to what effect.

    Example:

        FromDevice(eth0) -> Queue -> {{name}}({{example}}) -> Counter -> Discard;
    """


class RatedUnqueueElement(BucketElement):
    """A task that pulls at a rate."""

    ports = "1/1"
    processing = PULL_TO_PUSH
    entries = ("task", "timer", "init", "control")
    wakes = ("timer", "init", "control")
    runs = USER
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
        unqueue = self.state.unqueue
        return (
            f"{unqueue.runs} calls to run_task()\n{unqueue.empty_runs} empty runs\n"
            f"{unqueue.pushes} pushes\n{unqueue.failed_pulls} failed pulls\n"
        )

    active = field_handlers("unqueue", Bool(), "assigned")

    def assigned(self) -> None:
        self.notify()
