from clickbpf.declare import Bool, Keyword

from .kerneltun import KernelTun


class KernelTap(KernelTun):
    """makes a network device for Linux, for Ethernet frames

    As KernelTun, but with a tap device: packets have Ethernet headers in both directions. Linux resolves addresses by ARP, and
    accepts only frames to its own Ethernet address, ETHER, or to broadcast and multicast addresses. All frames leave by output 0.

    Ports: one input or none, push or pull; push output 0, and output 1, which is unused.

    Example: `ping 192.0.2.2` is answered by the router:

        tap :: KernelTap(192.0.2.1/24, ETHER 2:2:2:2:2:2) -> c :: Classifier(12/0806, 12/0800);
        c[0] -> ARPResponder(0/0 1:1:1:1:1:1) -> tap;
        c[1] -> Strip(14) -> CheckIPHeader -> ICMPPingResponder -> EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2) -> tap;
    """

    args = tuple(argument if argument.name != "TAP" else Keyword("TAP", Bool(), True) for argument in KernelTun.args)
