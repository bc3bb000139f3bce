"""Stride scheduling of ports: outputs of StrideSwitch, inputs of StrideSched."""

from typing import ClassVar

from clickbpf.declare import (
    ANEW, ArgError, Array, Element, Held, Integer, Raw, Rest, expect_one_per_port, numbered_handlers, read_each, read_handler, u32, u64,
)

from ._warning import warn

#: The stride of one ticket, and most tickets of a port.
STRIDE, MOST_TICKETS = 1 << 16, 1 << 15


class StrideElement(Element):
    """The ports on one side are clients, each with tickets; C files find them in the state `clients` (stride.inc.h)."""

    same_form = True

    #: The side: "input" or "output".
    side: ClassVar[str]

    args = (Rest("TICKETS", Raw(), "an integer for each input, in their order, up to 32768. An input with 0 tickets is never asked"),)
    #: `advanced` grows by `stride` with each packet; of clients with equal `advanced`, the one with the greatest `turn` goes first.
    #: `asked`, for StrideSched, is the client's place, from 1, in the order that the current pull has tried.
    state_types = {"clients": Array(lambda element: element.nclients, advanced=u64, turn=u64, tickets=u32, stride=u32, asked=u32)}
    holds = (Held("whose turn it is", ANEW, ANEW),)

    @property
    def nclients(self) -> int:
        return self.ninputs if self.side == "input" else self.noutputs

    def configure(self) -> None:
        given = self.cfg.tickets
        expect_one_per_port(self, self.side, given)
        self._given = read_each("TICKETS", given, _given_tickets)
        for port, tickets in enumerate(self._given):
            if tickets > MOST_TICKETS:
                warn(self, f"{self.side} {port}'s tickets reduced to {MOST_TICKETS}")

    def initialise(self) -> None:
        for port, tickets in enumerate(self._given):
            client = self.state.clients[port]
            _set(client, tickets)
            client.advanced = client.stride
            client.turn = self.nclients - port

    def read_tickets(self, port: int) -> str:
        return str(self.state.clients[port].tickets)

    def write_tickets(self, port: int, text: str) -> None:
        """A client that gets its first tickets is queued after the one whose turn it is."""
        tickets = _tickets(text.strip(), "tickets value must be integer", "number of tickets")
        client = self.state.clients[port]
        if tickets and not client.tickets:
            others = list(self.state.clients)
            foremost = [other.advanced for other in others if other.tickets]
            client.advanced = min(foremost) + STRIDE // min(tickets, MOST_TICKETS) if foremost else 0
            client.turn = max(other.turn for other in others) + 1
        _set(client, tickets)
        self.ticketed()

    def ticketed(self) -> None:
        """A client's tickets were changed."""

    tickets = numbered_handlers(lambda element: element.nclients, read_tickets, write_tickets)

    @read_handler("config")
    def read_config(self) -> str:
        """all of them."""
        return ", ".join(str(client.tickets) for client in self.state.clients)


def _given_tickets(text: str, port: int) -> int:
    return _tickets(text, f"argument {port} should be number of tickets (integer)", f"argument {port} (number of tickets)")


def _tickets(text: str, wrong: str, number: str) -> int:
    try:
        tickets = Integer(signed=True).parse(text)
    except ArgError as error:
        raise ArgError(wrong, error.message) from None
    if tickets < 0:
        raise ArgError(f"{number} must be >= 0")
    return tickets


def _set(client, tickets: int) -> None:
    """The stride comes first: a client with tickets has one."""
    tickets = min(tickets, MOST_TICKETS)
    client.stride = STRIDE // tickets if tickets else 0
    client.tickets = tickets
