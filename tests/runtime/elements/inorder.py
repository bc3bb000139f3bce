from clickbpf.declare import USER, Element, Private, read_handler, u64


class InOrder(Element):
    """counts packets, and those whose number is not greater than the last one's"""

    runs = USER
    state_types = {"seen": Private(last=u64, count=u64, late=u64)}

    @read_handler
    def count(self) -> str:
        return str(self.state.seen.count)

    @read_handler
    def late(self) -> str:
        return str(self.state.seen.late)
