from clickbpf.declare import Integer, Optional

from ..common._headercheck import KERNEL, HeaderCheck


class CheckARPHeader(HeaderCheck):
    __doc__ = f"""checks ARP headers and marks them for other elements

    A packet is good if an ARP header begins OFFSET bytes into it, the packet has room for addresses of the lengths in the header,
    and these lengths are right: 6 bytes for Ethernet, 4 for IP, 16 for IPv6, any for other types. A good packet leaves by output 0,
    with its network header annotation at the ARP header. Bad packets leave by output 1, or are dropped if it isn't connected.

    {KERNEL}

    Example:

        FromDevice(eth0) -> c :: Classifier(12/0806, -);
        c[0] -> CheckARPHeader(14) -> Queue -> ToDevice(eth1);
        c[1] -> Discard;
    """

    subject = "ARP"
    title = ""
    reasons = {
        "TINY": "tiny packet",
        "LENGTH": "too small for addresses",
        "HARDWARE": "bad hardware type/length",
        "PROTOCOL": "bad protocol type/length",
    }
    args = (Optional("OFFSET", Integer(), 0, "bytes in front of the ARP header"), *HeaderCheck.args)
