from clickbpf.vocabulary.element import USER, Element, read_handler
from clickbpf.vocabulary.state import Private, u64


class Careless(Element):
    """counts packets, and has no need of a lock, as it believes"""

    runs = USER
    thread_safe = True
    state_types = {"seen": Private(count=u64)}

    @read_handler
    def count(self) -> str:
        return str(self.state.seen.count)
