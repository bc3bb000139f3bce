"""StrideSwitch: packets are shared out in proportion."""

from __future__ import annotations

from clickbpf.args import ArgError, Integer, Raw, Rest
from clickbpf.element import PUSH, USER, read_handler
from clickbpf.state import Array, u32, u64

from .._warning import warn
from ._ports import HandlersOfPorts, PortElement

#: The stride of one ticket, and most tickets of an output.
STRIDE, MOST_TICKETS = 1 << 16, 1 << 15
#: Outputs that the kernel path chooses between; the verifier walks through each.
MOST_OUTPUTS_IN_KERNEL = 16


class StrideSwitch(PortElement):
    """sends packets to its outputs in proportion to their tickets

    Synopsis: `StrideSwitch(TICKETS0, ..., TICKETSn)`

    Of many packets, each output gets a share as large as its share in the tickets, and the packets for one output are
    spread as evenly as they can be (stride scheduling, Waldspurger and Weihl 1995): each packet leaves by the output that
    has advanced least, which then advances by 65536 / tickets. Where several CPUs push packets at the same moment, these
    may count as one. With more than 16 outputs it runs in user space only.

    Arguments:

      - TICKETS: an integer for each output, in their order, up to 32768. An output with 0 tickets gets no packets; if all
        have none, packets are dropped.

    Ports: one push input, one or more push outputs.

    Handlers:

      - `tickets0`, `tickets1` and so on (read, write): an output's tickets.
      - `config` (read): all of them.

    Example: three of four packets take the first link:

        FromDevice(eth0) -> s :: StrideSwitch(3, 1);
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
    """

    ports = "1/1-"
    processing = PUSH
    args = (Rest("TICKETS", Raw()),)
    #: `advanced` grows by `stride` with each packet; of outputs that have advanced alike, the greatest `turn` goes first.
    state_types = {"outputs": Array(lambda element: element.noutputs, advanced=u64, turn=u64, tickets=u32, stride=u32)}
    weight = 120

    def configure(self) -> None:
        given = self.cfg.tickets
        if len(given) != self.noutputs:
            raise ArgError(f"need {self.noutputs} arguments, one per output port")
        errors: list[ArgError] = []
        for port, text in enumerate(given):
            try:
                _tickets(text, f"argument {port} should be", f"argument {port} (number of tickets)")
            except ArgError as error:
                errors.append(ArgError(error.message, error.hint, argument="TICKETS", index=port))
        if errors:
            raise ExceptionGroup("tickets", errors)
        self.tickets = [Integer(signed=True).parse(text) for text in given]
        for port, tickets in enumerate(self.tickets):
            if tickets > MOST_TICKETS:
                warn(self, f"output {port}'s tickets reduced to {MOST_TICKETS}")
        if self.noutputs > MOST_OUTPUTS_IN_KERNEL:
            self.runs = USER

    def initialise(self) -> None:
        for port, tickets in enumerate(self.tickets):
            output = self.state.outputs[port]
            _set(output, tickets)
            output.advanced = output.stride
            output.turn = self.noutputs - port

    def read_tickets(self, port: int) -> str:
        return str(self.state.outputs[port].tickets)

    def write_tickets(self, port: int, text: str) -> None:
        """An output that gets its first tickets queues up behind the one whose turn it is."""
        tickets = _tickets(text.strip(), "expected", "number of tickets")
        output = self.state.outputs[port]
        if tickets and not output.tickets:
            others = list(self.state.outputs)
            foremost = [other.advanced for other in others if other.tickets]
            output.advanced = min(foremost) + STRIDE // min(tickets, MOST_TICKETS) if foremost else 0
            output.turn = max(other.turn for other in others) + 1
        _set(output, tickets)

    handlers = HandlersOfPorts("tickets", lambda element: element.noutputs, read_tickets, write_tickets)

    @read_handler("config")
    def read_config(self) -> str:
        return ", ".join(str(output.tickets) for output in self.state.outputs)


def _tickets(text: str, wanted: str, number: str) -> int:
    try:
        tickets = Integer(signed=True).parse(text)
    except ArgError as error:
        raise ArgError(f"{wanted} number of tickets (integer)", error.message) from None
    if tickets < 0:
        raise ArgError(f"{number} must be >= 0")
    return tickets


def _set(output, tickets: int) -> None:
    """The stride comes first: an output with tickets has one."""
    tickets = min(tickets, MOST_TICKETS)
    output.stride = STRIDE // tickets if tickets else 0
    output.tickets = tickets
