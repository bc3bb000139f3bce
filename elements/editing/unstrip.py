from clickbpf.declare import BEARS_OFFLOADS, AlignmentRule, Element, Integer, Required


class Unstrip(Element, traits=BEARS_OFFLOADS):
    """adds bytes at the start of packets

    Bytes that were removed by Strip come back as they were; others have no particular value. FlowUnstrip of FastClick
    is another name of the class.

    Example: an Ethernet header set aside while IP elements look at the packet:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    aliases = ("FlowUnstrip",)
    args = (Required("LENGTH", Integer(), "how many bytes"),)

    @property
    def alignment(self) -> AlignmentRule:
        return AlignmentRule(moves=-self.cfg.length)
