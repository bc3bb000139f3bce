"""The base of switches with one selected port, read and changed by the handler `switch`."""

from typing import ClassVar

from clickbpf.declare import Integer, read_handler, write_handler

NUMBER = Integer(signed=True)
#: The selected port for passing no packets.
NONE = -1


class Selection:
    """A mixin for element classes with the port's number in their state."""

    same_form = True

    #: The state and its field, "input" or "output".
    selection: ClassVar[tuple[str, str]]
    #: The error message for a text that is not a number.
    no_number: ClassVar[str]

    @property
    def selected(self) -> int:
        state, field = self.selection
        return getattr(getattr(self.state, state), field)

    def select(self, port: int) -> None:
        """Pass packets by this port; if there is no such port, pass none."""
        state, field = self.selection
        count = self.noutputs if field == "output" else self.ninputs
        setattr(getattr(self.state, state), field, port if port < count else NONE)

    def switched(self) -> None:
        """Another port was selected while the router runs."""

    switch = read_handler(lambda self: str(self.selected), text="the selected port; a missing port counts as -1.")
    config = read_handler(lambda self: str(self.selected), text="the same.")

    @write_handler("switch")
    def write_switch(self, text: str) -> None:
        self.select(NUMBER.parse_written(text, self.no_number))
        self.switched()
