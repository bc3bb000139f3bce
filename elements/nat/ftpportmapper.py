from collections.abc import Iterable

from clickbpf.declare import USER, ArgError, Companion, ElementRef, Integer, Reconfigurable, Required, Vars, is_a, s32
from clickbpf.graph.ports import Shape

from ._structures import HEADERS


class FTPPortMapper(Reconfigurable, Companion, runs=USER):
    """makes FTP clients behind a NAT reachable for data connections

    An FTP client in active mode sends the server a PORT command (RFC 959) with the address and port on which it waits for data. Put
    this element before the rewriter of the control connection. It makes a flow in DATA_REWRITER from that address to the server's
    data port, which is one below the port of the control connection; writes the rewritten address and port into the command; and,
    as that changes the command's length, makes CONTROL_REWRITER adjust sequence numbers from then on.

    A command must be at the beginning of a packet, and complete; if it comes from the client that opened the connection, it must
    name the client's own address (RFC 2577; Click's element takes any). All other packets pass unchanged. The element runs in user
    space: send only control connections through it.

    Ports: one input, one output. IP header annotations have to be set.

    Example:

        nat :: TCPRewriter(pattern 192.0.2.1 1024-65535 - - 0 1, drop);
        FromDevice(inside) -> Strip(14) -> CheckIPHeader -> c :: IPClassifier(tcp dst port ftp, tcp);
        FromDevice(outside) -> Strip(14) -> CheckIPHeader -> IPClassifier(tcp) -> [1] nat;
        c[0] -> CheckTCPHeader -> FTPPortMapper(nat, nat, 0) -> [0] nat;
        c[1] -> [0] nat;
        nat[0] -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(outside);
        nat[1] -> EtherEncap(0x0800, 02:00:00:00:00:03, 02:00:00:00:00:04) -> Queue -> ToDevice(inside);
    """

    state_types = {"vars": Vars(input=s32)}
    holds = ()
    headers = HEADERS
    args = (
        Required("CONTROL_REWRITER", ElementRef(), "the rewriter of the control connection, a TCPRewriter or IPRewriter. It should be "
            "downstream"),
        Required("DATA_REWRITER", ElementRef(), "the rewriter of data connections, perhaps the same one"),
        Required("DATA_REWRITER_INPUT", Integer(32, signed=True), "the input of DATA_REWRITER whose INPUTSPEC to use"),
    )

    def configure(self) -> None:
        control, data = (self._class(name) for name in ("CONTROL_REWRITER", "DATA_REWRITER"))
        if not getattr(control, "tracks_tcp", False):
            raise ArgError("not a TCPRewriter or IPRewriter", argument="CONTROL_REWRITER")
        inputs = Shape.of(self.context.router, self.cfg.data_rewriter, data).counts[0]
        if not 0 <= self.cfg.data_rewriter_input < inputs:
            raise ArgError("DATA_REWRITER_INPUT out of range", argument="DATA_REWRITER_INPUT")

    def _class(self, argument: str) -> type:
        class_ = self.context.class_of(getattr(self.cfg, argument.lower()))
        if class_ is None or not is_a(class_, "Rewriter"):
            raise ArgError("not a rewriter", argument=argument)
        return class_

    def warnings(self) -> Iterable[ArgError]:
        control = self.cfg.control_rewriter
        if control not in self._downstream():
            yield ArgError(f"control packet rewriter '{control}' is not downstream")

    def _downstream(self) -> set[str]:
        """All elements that packets from here may reach."""
        found, waiting = set(), [self.name]
        while waiting:
            element = waiting.pop()
            new = {c.target.element for c in self.context.router.connections if c.source.element == element} - found
            found |= new
            waiting += new
        return found

    def initialise(self) -> None:
        self.state.vars.input = self.cfg.data_rewriter_input
