from clickbpf.declare import ANEW, KEPT, Held, Vars, u64, write_handler

from ._copying import CopyingElement

#: The bits of the sequence number. The bit above them is set once there is one.
NUMBER = 0xFFFFFFFF


class CopyTCPSeq(CopyingElement):
    """writes the greatest TCP sequence number of some packets into others

    Packets from input 0 pass unchanged. The greatest of their sequence numbers, in TCP's order (RFC 9293, 3.4), is written into
    packets from input 1, whose checksums stay as they are (SetTCPChecksum). The number is 0 until the first packet from input 0. IP
    headers have to be marked (MarkIPHeader); the protocol isn't checked.

    A packet without a marked header, or too short for TCP, is ignored on input 0, and dropped on input 1.

    Ports: two inputs and two outputs; packets from input 0 leave by output 0, those from input 1 by output 1. All are push, or
    all are pull.

    Example:

        FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> [0]copy :: CopyTCPSeq;
        FromDevice(eth1) -> Strip(14) -> MarkIPHeader -> [1]copy;
        copy[0] -> Discard;
        copy[1] -> SetTCPChecksum -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    state_types = {"vars": Vars(latest=u64)}
    holds = (Held("the latest number", ANEW, KEPT),)

    @write_handler
    def reset(self, text: str) -> None:
        """takes the number from the next packet from input 0, even if it is less."""
        self.state.vars.latest &= NUMBER
