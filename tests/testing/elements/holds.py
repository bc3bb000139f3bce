"""For tests of the harness: an element with a timer."""

from clickbpf.args import Integer, Required
from clickbpf.vocabulary.element import PUSH, USER, Element
from clickbpf.vocabulary.state import Private, ptr


class Holds(Element):
    """holds a packet for some seconds, one at a time; it drops those that come meanwhile"""

    processing = PUSH
    runs = USER
    entries = ("timer", "cleanup")
    args = (Required("SECONDS", Integer(32)),)
    state_types = {"held": Private(packet=ptr)}
