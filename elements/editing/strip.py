from clickbpf.declare import (
    ANY, BEARS_OFFLOADS, ETHER_HLEN, ETHERNET, KEEPS_HEADER, NETWORK, AlignmentRule, Element, Form, Integer, Required,
)


class Strip(Element, traits=BEARS_OFFLOADS | KEEPS_HEADER):
    """removes bytes from the start of packets

    A packet with fewer bytes becomes empty, which the runtime reports on standard error. Header annotations stay where they are in
    the packet, so a stripped Ethernet header is still the MAC header. FlowStrip of FastClick is another name of the class.

    Example: IP packets without their Ethernet headers:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> Discard;
    """

    aliases = ("FlowStrip",)
    args = (Required("LENGTH", Integer(), "how many bytes"),)

    @property
    def alignment(self) -> AlignmentRule:
        return AlignmentRule(moves=self.cfg.length)

    def gives(self, form: Form | None) -> Form:
        if form is None or not self.cfg.length:
            return form or ANY
        return form.changed(begins=NETWORK if form.begins == ETHERNET and self.cfg.length == ETHER_HLEN else None)
