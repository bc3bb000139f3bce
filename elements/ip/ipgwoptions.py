from clickbpf.declare import BEARS_OFFLOADS, MARKED, Element, IPAddress, ListOf, Optional, PerThread, Required, sum_handler, u64

from ._code import membership


class IPGWOptions(Element, ports="1/1-2", processing="a/ah", traits=BEARS_OFFLOADS):
    """fills in the Record Route and Timestamp options

    Does what RFC 1812 (4.2.2.2 and 5.2.4) requires of a router that forwards a packet: writes its address into the next free place
    of a Record Route option, and its time (milliseconds since midnight UT), with its address if requested, into a Timestamp option;
    if the option prescribes addresses, only if the next one is this router's. If the packet has an option of either kind, the
    header's checksum is recomputed. Other options, including source routes, stay as they are.

    A packet with a malformed option leaves by output 1, with its ICMP_PARAMPROB annotation set to the offset of the wrong byte in
    the IP header, for an ICMPError of type `parameterproblem`; it is dropped if output 1 isn't connected. As in Click, options
    before the malformed one have then been filled in, without an update of the checksum.

    The packet's IP header must be marked (CheckIPHeader, MarkIPHeader); a packet without a complete one is dropped. The kernel path
    hands over packets with options.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> gw :: IPGWOptions(10.0.1.1, 10.0.0.1 10.0.2.1) -> Discard;
        gw[1] -> ICMPError(10.0.1.1, parameterproblem) -> Discard;
    """

    same_form = True
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
