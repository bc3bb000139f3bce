from clickbpf.declare import ANEW, PULL_TO_PUSH, USER, ArgError, Element, Held, Integer, Optional, Private, read_handler, u32, u64


class RoundRobinUnqueue(Element, ports="-/-", processing=PULL_TO_PUSH, runs=USER):
    """pull-to-push converter for several paths

    Pulls packets from its inputs in turn, at most BURST from each, and pushes a packet out of the output with its input's number.
    Sleeps while all inputs are empty.

    Ports: any number of pull inputs, and as many push outputs.

    Example:

        FromDevice(eth0) -> Queue -> [0]turns :: RoundRobinUnqueue(8);
        FromDevice(eth1) -> Queue -> [1]turns;
        turns[0] -> Counter -> Discard;
        turns[1] -> Counter -> Discard;
    """

    wakes = ("init",)
    args = (Optional("BURST", Integer(32), 1, "Integer. Default is 1; with 0, pulls from an input until it is empty"),)
    state_types = {"turn": Private(packets=u64, next=u32)}
    holds = (Held("whose turn it is", ANEW, ANEW),)

    def configure(self) -> None:
        if self.ninputs != self.noutputs:
            raise ArgError("number of outputs must equal number of inputs", f"inputs: {self.ninputs}, outputs: {self.noutputs}")

    packets = read_handler(lambda self: f"{self.state.turn.packets} packets\n", text="the number of packets passed")
