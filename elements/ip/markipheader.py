from clickbpf.declare import ANY, BEARS_OFFLOADS, PASSES, AlignmentRule, Element, Form, Integer, Optional


class MarkIPHeader(Element, traits=BEARS_OFFLOADS | PASSES):
    """sets the network and transport header annotations

    The IP header begins OFFSET bytes into the packet, and what it carries right after it, as far as its header length
    says. Nothing is checked: for packets from a network use CheckIPHeader. A packet that ends before OFFSET is taken to
    have a header of no length there, so elements that look at it find it too short.

    Example:

        FromDevice(eth0) -> MarkIPHeader(14) -> DecIPTTL -> Discard;
    """

    args = (
        Optional("OFFSET", Integer(signed=True), 0, "bytes in front of the IP header; below zero it lies before the packet's data, where "
            "Strip has been"),
    )

    def gives(self, form: Form | None) -> Form:
        return form.changed(marked=True) if form else ANY

    @property
    def alignment(self) -> AlignmentRule:
        return AlignmentRule.of_ip_header(self.cfg.offset)
