from clickbpf.declare import BEARS_OFFLOADS, MARKED, Element, IPAddress, ListOf, Optional, PerThread, Required, sum_handler, u64

from ._code import membership


class IPGWOptions(Element, ports="1/1-2", processing="a/ah", traits=BEARS_OFFLOADS):
    """fills in the Record Route and Timestamp options

    Does what RFC 1812 (4.2.2.2 and 5.2.4) asks of any router that forwards a packet: puts its address into the next free
    place of a Record Route option, and its time (milliseconds since midnight UT), with its address where that is wanted,
    into a Timestamp option; a timestamp for a prescribed address is given if the address is one of this router's. If
    there was an option of either kind, the header's checksum is recomputed. Other options, source routes included, stay
    as they are.

    A packet with a malformed option leaves by output 1, its ICMP_PARAMPROB annotation being the offset of the wrong
    byte in the IP header, as ICMPError wants it for a `parameterproblem`; it is dropped if output 1 is not there. Options
    in front of the malformed one have been filled in by then, as in Click, but the checksum is still the old one.

    The packet's IP header has to be marked (CheckIPHeader, MarkIPHeader); a packet without one, or without all of it, is
    dropped. The kernel path does headers without options, and hands others over.

    Ports: one input; output 0, and push output 1 (may be missing) for packets with malformed options.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> gw :: IPGWOptions(10.0.1.1, 10.0.0.1 10.0.2.1) -> Discard;
        gw[1] -> ICMPError(10.0.1.1, parameterproblem) -> Discard;
    """

    takes = (MARKED,)
    args = (
        Required("MYADDR", IPAddress(), "the address of the interface by which the packet leaves"),
        Optional("OTHERADDRS", ListOf(IPAddress()), (), "the other addresses of this router"),
    )
    annotations = ("ICMP_PARAMPROB",)
    state_types = {"counters": PerThread(malformed=u64)}

    def code(self) -> str:
        return membership("my_address", (self.cfg.myaddr, *self.cfg.otheraddrs))

    drops = sum_handler("counters", "malformed", text="how many packets had malformed options")
