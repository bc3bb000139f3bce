from clickbpf.declare import USER, Element, Integer, Private, Required, u64


class Ticker(Element):
    """pushes a packet of 8 bytes, the time, every INTERVAL nanoseconds"""

    ports, processing = "0/1", "h"
    runs = USER
    args = (Required("INTERVAL", Integer(64)),)
    state_types = {"ticks": Private(count=u64, argument=u64)}
