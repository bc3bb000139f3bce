from clickbpf.declare import ANY, BEARS_OFFLOADS, PASSES, AlignmentRule, Element, Form, Integer, Optional


class MarkIPHeader(Element, traits=BEARS_OFFLOADS | PASSES):
    """sets the network and transport header annotations

    The network header is set OFFSET bytes into the packet, and the transport header after it, by its header length. Nothing is
    checked: for packets from a network use CheckIPHeader. If the packet ends before OFFSET, both headers are set there, and later
    elements find them too short.

    Example: FromDevice(eth0) -> MarkIPHeader(14) -> DecIPTTL -> Discard;
    """

    args = (
        Optional("OFFSET", Integer(signed=True), 0, "bytes in front of the IP header; negative for a header in front of the packet's "
            "data, after a Strip"),
    )

    def gives(self, form: Form | None) -> Form:
        return form.changed(marked=True) if form else ANY

    @property
    def alignment(self) -> AlignmentRule:
        return AlignmentRule.of_ip_header(self.cfg.offset)
