"""What RatedSplitter and BandwidthRatedSplitter have in common."""

from clickbpf.declare import ANEW, KEPT, KERNEL, PUSH, Held, Reconfigurable

from ..common._bucket import SHARED_BUCKET, ClicksBucketElement

#: The classes' manual pages.
MANUAL = """sends a number of {unit} per second to one output and the rest to another

    Packets leave by output 0, up to RATE {unit} per second, and all others by output 1, or are dropped if that isn't
    connected. It is a token bucket, refilled each millisecond, whose size is a burst.

    Handlers:

      - `rate` (read, write), `config` (read): RATE, read as the bucket rounds it.

    Example:

        FromDevice(eth0) -> s :: {name}({example}) -> Queue -> ToDevice(eth1);
        s[1] -> Print(excess) -> Discard;
    """


class SplitterElement(Reconfigurable, ClicksBucketElement, ports="1/1-2", processing=PUSH, runs=KERNEL):
    """So much leaves by output 0, the rest by output 1 if there is one."""

    state_types = {"bucket": SHARED_BUCKET}
    holds = (Held("tokens", ANEW, KEPT),)
    weight = 90
