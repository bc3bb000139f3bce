from clickbpf.declare import BEARS_OFFLOADS, KEEPS_HEADER, Copies

from ._paint import PaintElement


class PaintTee(PaintElement, ports="1/2", processing="a/ah", traits=BEARS_OFFLOADS | KEEPS_HEADER):
    """copies packets of one paint annotation to a second output

    Every packet leaves by output 0, but first a copy of each packet of that colour leaves by output 1. The kernel path makes copies
    under the conditions of Tee, and otherwise hands these packets over.

    Ports: one input; output 0, and push output 1.

    Example: a router that sends a packet back to where it came from reports the better way to the sender (RFC 1812, 5.2.7.2):

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> Paint(1) -> rt :: StaticIPLookup(10.0.0.0/8 0);
        rt -> pt :: PaintTee(1) -> Discard;
        pt[1] -> ICMPError(10.0.0.1, redirect, host) -> rt;
    """

    def copies(self) -> Copies:
        return [(1, 0)]
