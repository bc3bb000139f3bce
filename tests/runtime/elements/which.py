from clickbpf.declare import USER, Element, Private, u64

ENTRIES = ("action", "task", "timer", "event", "control")


class Which(Element):
    """counts the calls of each of its entries, those of optimised code and the others"""

    runs = USER
    state_types = {"calls": Private(fd=u64, **{f"{entry}_{how}": u64 for entry in ENTRIES for how in ("slow", "fast")})}

    def calls(self, how: str) -> dict[str, int]:
        return {entry: getattr(self.state.calls, f"{entry}_{how}") for entry in ENTRIES}
