from clickbpf.declare import COUNTED, LOST, Element, Held, Private, ptr, u32


class DupPath(Element, ports="1/2", processing="h/hl"):
    """sends packets down one of two paths, by their source addresses

    The lowest bits of the last two hexadecimal digits of the IP source address decide: if they are equal (10.0.0.17 is 0x11), the
    packet is pushed to output 0; if not, it waits at output 1 until it is pulled. At most 128 packets wait; further ones, and
    packets without a marked IP header (MarkIPHeader), are dropped. The kernel path hands over packets for output 1.

    Ports: one push input; output 0 is push, output 1 pull.

    Example:

        FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> paths :: DupPath;
        paths[0] -> Unstrip(14) -> Queue -> ToDevice(eth1);
        paths[1] -> Unqueue -> Discard;
    """

    state_types = {"waiting": Private(first=ptr, last=ptr, length=u32)}
    holds = (Held("packets that wait", COUNTED, LOST),)
