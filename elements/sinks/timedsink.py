from clickbpf.declare import ANEW, USER, Element, Held, Optional, Private, field_handlers, u64

from ..sources.timedsource import HALF_A_SECOND, INTERVAL, WrittenInterval


class TimedSink(Element, ports="1/0", processing="l", runs=USER):
    """pulls and drops packets at regular intervals

    Every INTERVAL, pulls a packet, if there is one, and drops it.

    Example: FromDevice(eth0) -> Queue -> TimedSink(100ms);
    """

    args = (Optional("INTERVAL", INTERVAL, HALF_A_SECOND, "a time, in seconds without a unit"),)
    state_types = {"sink": Private(interval=u64, due=u64)}
    holds = (Held("when it pulls next", ANEW, ANEW),)

    interval = field_handlers("sink", WrittenInterval(), text="INTERVAL, valid after the next packet.")
