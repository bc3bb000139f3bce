from clickbpf.vocabulary.element import USER, Element
from clickbpf.vocabulary.state import Private, u64


class Shared(Element):
    """pulls for whoever pulls from one of its outputs"""

    ports, processing, flow = "1/1-", "l/l", "x/x"
    runs = USER
    entries = ("pull",)
    state_types = {"pulls": Private(count=u64)}
