"""What RatedSplitter and BandwidthRatedSplitter have in common."""

from __future__ import annotations

from clickbpf.vocabulary.element import KERNEL, PUSH
from clickbpf.vocabulary.held import ANEW, KEPT, Held

from ..common._bucket import ARGUMENTS_TEXT, SHARED_BUCKET, BucketElement

#: The classes' manual pages.
MANUAL = f"""sends a number of {{unit}} per second to one output and the rest to another

    Synopsis: `{{name}}(RATE [, BURST_DURATION ..., {{size}} ...])`

    Packets leave by output 0, up to RATE {{unit}} per second, and all others by output 1, or are dropped if that isn't
    connected. It is a token bucket, refilled each millisecond, whose size is a burst.

    Arguments:

      {ARGUMENTS_TEXT}

    Ports: one push input, one or two push outputs.

    Handlers:

      - `rate` (read, write), `config` (read): RATE, read as the bucket rounds it.

    Example:

        FromDevice(eth0) -> s :: {{name}}({{example}}) -> Queue -> ToDevice(eth1);
        s[1] -> Print(excess) -> Discard;
    """


class SplitterElement(BucketElement):
    """So much leaves by output 0, the rest by output 1 if there is one."""

    ports = "1/1-2"
    processing = PUSH
    runs = KERNEL
    reconfigurable = True
    state_types = {"bucket": SHARED_BUCKET}
    holds = (Held("tokens", ANEW, KEPT),)
    weight = 90
