from clickbpf.declare import ANEW, KEPT, THREAD_SAFE, USER, Array, Bool, Element, Held, Raw, Rest, numbered_handlers, u8, write_handler


class Suppressor(Element, ports="-/=", flow="#/#", traits=THREAD_SAFE):
    """passes packets from each input to the output of its number, and lets single ports be shut

    Packets pushed at a shut port are dropped; pulls from a shut port find nothing, and the packets stay upstream. At first all
    ports are open. With one port, the element runs in user space only.

    Ports: any number of inputs and as many outputs, push or pull.

    Handlers:

      - `active0`, `active1` and so on (read, write): whether a port is open.

    Example: `s.active1 false` cuts eth1 off:

        FromDevice(eth0) -> s :: Suppressor;
        FromDevice(eth1) -> [1]s;
        s[0] -> in :: Null -> Discard;
        s[1] -> in;
    """

    same_form = True

    #: Any arguments are accepted, and ignored.
    args = (Rest("IGNORED", Raw()),)
    state_types = {"ports": Array(lambda element: max(1, element.ninputs), shut=u8)}
    holds = (Held("inputs that handlers have closed", ANEW, KEPT),)

    def configure(self) -> None:
        # The kernel path omits the Queue before a chain of single-port elements to a device. This element may have to leave packets
        # in the Queue.
        if self.ninputs == 1:
            self.runs = USER

    def read_active(self, port: int) -> str:
        return Bool().unparse(not self.state.ports[port].shut)

    def write_active(self, port: int, text: str) -> None:
        self.state.ports[port].shut = not Bool().parse(text.strip())
        self.notify()

    active = numbered_handlers(lambda element: element.ninputs, read_active, write_active)

    @write_handler
    def reset(self, text: str) -> None:
        """opens all ports."""
        for port in self.state.ports:
            port.shut = False
        self.notify()
