from __future__ import annotations

from clickbpf.args import ArgError, Integer, Optional
from clickbpf.vocabulary.element import PULL_TO_PUSH, USER, Element, read_handler
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Private, u32, u64


class RoundRobinUnqueue(Element):
    """pull-to-push converter for several paths

    Synopsis: `RoundRobinUnqueue([BURST])`

    Pulls packets from its inputs in turn, at most BURST from one, and pushes each out of the output with the number of
    its input. It sleeps while all inputs are empty.

    Arguments:

      - BURST: Integer. Default is 1; 0 pulls from an input until nothing comes back.

    Ports: any number of pull inputs, and as many push outputs.

    Handlers: `packets`, how many packets passed.

    Example:

        FromDevice(eth0) -> Queue -> [0]turns :: RoundRobinUnqueue(8);
        FromDevice(eth1) -> Queue -> [1]turns;
        turns[0] -> Counter -> Discard;
        turns[1] -> Counter -> Discard;
    """

    ports = "-/-"
    processing = PULL_TO_PUSH
    runs = USER
    entries = ("task", "init")
    wakes = ("init",)
    args = (Optional("BURST", Integer(32), 1),)
    state_types = {"turn": Private(packets=u64, next=u32)}
    holds = (Held("whose turn it is", ANEW, ANEW),)

    def configure(self) -> None:
        if self.ninputs != self.noutputs:
            raise ArgError("number of outputs must equal number of inputs", f"inputs: {self.ninputs}, outputs: {self.noutputs}")

    @read_handler
    def packets(self) -> str:
        return f"{self.state.turn.packets} packets\n"
