from clickbpf.declare import USER, Element, Private, sum_handler, u64


class Entered(Element):
    """counts packets that come while it sends another"""

    runs = USER
    state_types = {"entered": Private(sending=u64, count=u64, again=u64)}
    count = sum_handler("entered")
    again = sum_handler("entered")
