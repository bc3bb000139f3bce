from clickbpf.declare import ANY, BEARS_OFFLOADS, Element, Form, Integer, Optional


class MarkIP6Header(Element, traits=BEARS_OFFLOADS):
    """sets the network and transport header annotations of IPv6 packets

    The IPv6 header begins OFFSET bytes into the packet; the transport header follows it and its extension headers, of which at
    most 8 are examined. (For Click's element it always follows the 40 bytes of the header.) Nothing is checked: use
    CheckIP6Header for packets from a network.

    Example: FromDevice(eth0) -> MarkIP6Header(14) -> DecIP6HLIM -> Discard;
    """

    args = (
        Optional("OFFSET", Integer(signed=True), 0, "bytes before the IPv6 header; a negative number if the header lies before the "
            "packet's data, after Strip"),
    )
    weight = 150

    def gives(self, form: Form | None) -> Form:
        return form.changed(marked=True) if form else ANY
