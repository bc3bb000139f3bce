"""For tests of the harness: an element with a timer."""

from clickbpf.declare import PUSH, USER, Element, Integer, Private, Required, ptr


class Holds(Element):
    """holds a packet for some seconds, one at a time; it drops those that come meanwhile"""

    processing = PUSH
    runs = USER
    args = (Required("SECONDS", Integer(32)),)
    state_types = {"held": Private(packet=ptr)}
