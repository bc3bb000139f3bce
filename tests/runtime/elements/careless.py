from clickbpf.declare import THREAD_SAFE, USER, Element, Private, read_handler, u64


class Careless(Element, runs=USER, traits=THREAD_SAFE):
    """counts packets, and has no need of a lock, as it believes"""

    state_types = {"seen": Private(count=u64)}

    @read_handler
    def count(self) -> str:
        return str(self.state.seen.count)
