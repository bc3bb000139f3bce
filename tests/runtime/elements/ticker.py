from clickbpf.args import Integer, Required
from clickbpf.vocabulary.element import USER, Element
from clickbpf.vocabulary.state import Private, u64


class Ticker(Element):
    """pushes a packet of 8 bytes, the time, every INTERVAL nanoseconds"""

    ports, processing = "0/1", "h"
    runs = USER
    entries = ("timer", "init", "control")
    args = (Required("INTERVAL", Integer(64)),)
    state_types = {"ticks": Private(count=u64, argument=u64)}
