"""Stride scheduling as a sorted list, which the elements are compared with."""


class Stride:
    """Clients are ports, in a line of [advanced, port]: a client that had its turn is inserted before those that it is level
    with."""

    def __init__(self, *tickets: int):
        self.strides = [65536 // count if count else 0 for count in tickets]
        self.line: list[list[int]] = []
        for port in reversed(range(len(tickets))):
            if tickets[port]:
                self.insert(self.strides[port], port)

    def insert(self, advanced: int, port: int) -> None:
        place = next((i for i, (other, _) in enumerate(self.line) if other >= advanced), len(self.line))
        self.line.insert(place, [advanced, port])

    def next(self) -> int:
        """The foremost has a turn."""
        advanced, port = self.line.pop(0)
        self.insert(advanced + self.strides[port], port)
        return port

    def pull(self, waiting: list[int]) -> int | None:
        """The foremost are asked, one after another, until one has a packet; then all of them have had a turn."""
        asked = []
        while self.line and not (asked and waiting[asked[-1][1]]):
            asked.append(self.line.pop(0))
        for advanced, port in asked:
            self.insert(advanced + self.strides[port], port)
        found = asked[-1][1]
        if not waiting[found]:
            return None
        waiting[found] -= 1
        return found
