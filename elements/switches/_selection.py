"""What switches have in common: one port is selected, which the handler `switch` reads and changes."""

from typing import ClassVar

from clickbpf.declare import Integer, read_handler, write_handler

NUMBER = Integer(signed=True)
#: The selected port when no packet is to pass.
NONE = -1


class Selection:
    """Mixed into an element class whose state has the number of the port."""

    #: The state and its field, which is "input" or "output".
    selection: ClassVar[tuple[str, str]]
    #: What is wrong with a text that is no number.
    no_number: ClassVar[str]

    @property
    def selected(self) -> int:
        state, field = self.selection
        return getattr(getattr(self.state, state), field)

    def select(self, port: int) -> None:
        """Let packets pass by this port; if the element doesn't have it, none pass."""
        state, field = self.selection
        count = self.noutputs if field == "output" else self.ninputs
        setattr(getattr(self.state, state), field, port if port < count else NONE)

    def switched(self) -> None:
        """Another port was selected while the router runs."""

    switch = read_handler(lambda self: str(self.selected), text="the port that is chosen; one that is not there is taken for -1.")
    config = read_handler(lambda self: str(self.selected), text="the same.")

    @write_handler("switch")
    def write_switch(self, text: str) -> None:
        self.select(NUMBER.parse_or(self.no_number, text.strip()))
        self.switched()
