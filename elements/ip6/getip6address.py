from clickbpf.declare import BEARS_OFFLOADS, Element, Integer, Required


class GetIP6Address(Element, traits=BEARS_OFFLOADS):
    """copies an IPv6 address from the packet to its destination address annotation

    The 16 bytes at OFFSET become the annotation that elements such as LookupIP6Route and IP6NDSolicitor use. If the packet is too
    short, the annotation becomes `::`. (Click's element reads beyond the packet.)

    Example: FromDevice(eth0) -> Strip(14) -> GetIP6Address(24) -> Discard;
    """

    args = (
        Required("OFFSET", Integer(32, high=0x7FFFFFFF), "bytes from the start of the packet to the address; 24 for the destination in an "
            "IPv6 packet"),
    )
    annotations = ("DST_IP6",)
