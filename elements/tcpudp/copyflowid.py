from clickbpf.declare import ANEW, KEPT, THREAD_SAFE, Array, Held, Vars, be32, reset_handler, u8, u32

from ._copying import CopyingElement


class CopyFlowID(CopyingElement, traits=THREAD_SAFE):
    """writes the addresses and ports of one packet into others

    The addresses and ports of the first packet from input 0 are remembered; all packets from there pass unchanged. Packets from
    input 1 get these IP addresses and TCP or UDP ports, or zeros before the first packet. Their checksums stay as they are
    (SetIPChecksum, SetTCPChecksum, SetUDPChecksum). IP headers have to be marked (MarkIPHeader).

    A packet from input 0 without a marked header, or a later fragment, isn't remembered. A packet from input 1 without a marked
    header is dropped.

    Ports: two inputs and two outputs; packets from input 0 leave by output 0, those from input 1 by output 1. All are push, or
    all are pull.

    Example:

        FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> [0]copy :: CopyFlowID;
        FromDevice(eth1) -> Strip(14) -> MarkIPHeader -> [1]copy;
        copy[0] -> Discard;
        copy[1] -> SetIPChecksum -> SetUDPChecksum -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    state_types = {
        "flows": Array(2, source=be32, destination=be32, ports=u32),
        "vars": Vars(current=u32, known=u8),
    }
    holds = (Held("flows", ANEW, KEPT),)

    reset = reset_handler("vars", "known", text="remember the next packet from input 0 instead.")
