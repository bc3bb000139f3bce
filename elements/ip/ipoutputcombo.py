from clickbpf.declare import BEARS_OFFLOADS, MARKED, PUSH, Constants, Element, IPAddress, Integer, Required

from ._code import membership


class IPOutputCombo(Element, ports="1/5", processing=PUSH, traits=BEARS_OFFLOADS):
    """combines the steps of an IP router for outgoing packets

    DropBroadcasts, PaintTee(COLOR), IPGWOptions(IPADDR), FixIPSrc(IPADDR), DecIPTTL and CheckLength(MTU) in one element. It saves
    typing, but no time: the compiler fuses the six elements anyway. The kernel path hands over packets with IP options or with the
    colour COLOR. A packet without a marked IP header is dropped.

    Ports: one push input; five push outputs:

      - 0: packets in order;
      - 1: copies of packets of that colour, for an ICMPError of type redirect;
      - 2: packets with a malformed option, ICMP_PARAMPROB annotation set, for a parameterproblem;
      - 3: expired packets, for a timeexceeded;
      - 4: packets longer than MTU, for an IPFragmenter.

    Example:

        FromDevice(eth0) -> IPInputCombo(1) -> out :: IPOutputCombo(2, 10.0.1.1, 1500) -> Discard;
        out[1] -> Discard;
        out[2] -> Discard;
        out[3] -> ICMPError(10.0.1.1, timeexceeded) -> Discard;
        out[4] -> IPFragmenter(1500) -> Discard;
    """

    takes = (MARKED,)
    args = (
        Required("COLOR", Integer(signed=True), "the paint annotation of packets that would leave by the interface they came from"),
        Required("IPADDR", IPAddress(), "the address of the interface that packets leave by"),
        Required("MTU", Integer(), "the longest packet in bytes"),
    )
    annotations = ("ICMP_PARAMPROB", "FIX_IP_SRC")
    weight = 120

    def constants(self) -> Constants:
        return {"myaddr": ("__be32", IPAddress().c_value(self.cfg.ipaddr))}

    def code(self) -> str:
        return membership("my_address", (self.cfg.ipaddr,))
