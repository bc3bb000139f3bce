"""The base of RatedSplitter and BandwidthRatedSplitter."""

from clickbpf.declare import ANEW, KEPT, KERNEL, PUSH, Held, Reconfigurable

from ..common._bucket import SHARED_BUCKET, ClicksBucketElement

#: The classes' manual pages.
MANUAL = """sends a number of {unit} per second to one output and the rest to another

    Up to RATE {unit} per second leave by output 0. Other packets leave by output 1, or are dropped if output 1 isn't connected. A
    token bucket of the size of a burst, refilled each millisecond, limits the rate.

    Example:

        FromDevice(eth0) -> s :: {name}({example}) -> Queue -> ToDevice(eth1);
        s[1] -> Print(excess) -> Discard;
    """


class SplitterElement(Reconfigurable, ClicksBucketElement, ports="1/1-2", processing=PUSH, runs=KERNEL):
    """Sends RATE per second to output 0, the rest to output 1 if there is one."""

    same_form = True
    state_types = {"bucket": SHARED_BUCKET}
    holds = (Held("tokens", ANEW, KEPT),)
    weight = 90
