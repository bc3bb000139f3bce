from clickbpf.declare import (
    BEARS_OFFLOADS, KEEPS_HEADER, NETWORK, Anno, ArgError, Element, Enum, Form, Integer, Keyword, Optional,
)

#: Where addresses are in an IP header (RFC 791, 3.1).
SOURCE, DESTINATION = 12, 16


class GetIPAddress(Element, traits=BEARS_OFFLOADS | KEEPS_HEADER):
    """copies an IP address from the packet to an annotation

    Give either OFFSET or IP. The 4 bytes there are copied to the annotation, by default the destination address, which elements
    like LookupIPRoute and ARPQuerier use. The annotation becomes 0.0.0.0 if the packet is too short or, with IP, has no marked IP
    header.

    Example: FromDevice(eth0) -> Strip(14) -> GetIPAddress(16) -> StaticIPLookup(0/0 0) -> Discard;
    """

    args = (
        Optional("OFFSET", Integer(signed=True), text="bytes from the start of the packet to the address; 16 for the destination in an IP "
            "packet"),
        Optional("ANNO", Anno(4, is_set=True), 0, "an annotation of 4 bytes. Default DST_IP"),
        Keyword("IP", Enum(src=SOURCE, dst=DESTINATION), text="`src` or `dst`, that address of the packet's IP header"),
    )
    derived = {
        "at": ("__u32", lambda self: self.cfg.offset if self.cfg.ip is None else self.cfg.ip),
        "in_header": ("bool", lambda self: self.cfg.ip is not None),
    }

    def configure(self) -> None:
        offset = self.cfg.offset
        if (offset is not None and offset >= 0) == (self.cfg.ip is not None):
            raise ArgError("one of OFFSET and IP has to be given", "use OFFSET 16 or IP dst for the destination address")

    @property
    def takes(self) -> tuple[Form, ...]:
        """An OFFSET of an address in the IP header assumes that the packet begins with that header."""
        return (Form(begins=NETWORK),) if self.cfg.offset in (SOURCE, DESTINATION) else ()
