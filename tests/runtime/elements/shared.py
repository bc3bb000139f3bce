from clickbpf.declare import USER, Element, Private, u64


class Shared(Element):
    """pulls when one of its outputs is pulled from"""

    ports, processing, flow = "1/1-", "l/l", "x/x"
    runs = USER
    state_types = {"pulls": Private(count=u64)}
