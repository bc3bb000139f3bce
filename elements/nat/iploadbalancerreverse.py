from clickbpf.declare import MARKED, PUSH, READS_OTHERS, Constants, Element, ElementRef, Required, split_args

from .iploadbalancer import ADDRESS, family


class IPLoadBalancerReverse(Element, processing=PUSH, traits=READS_OTHERS):
    """gives replies of servers the address of their load balancer

    A class of FastClick. Each packet gets the VIP of an IPLoadBalancer as its source; checksums of IP, TCP, UDP and
    ICMPv6 are updated (FastClick leaves that to other elements). Send only servers' replies here.

    Example:

        lb :: IPLoadBalancer(VIP 10.0.0.1, DST 10.1.0.1, DST 10.1.0.2);
        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> lb -> Unstrip(14) -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> Strip(14) -> CheckIPHeader -> r :: IPLoadBalancerReverse(lb) -> Unstrip(14) -> Queue -> ToDevice(eth0);
    """

    aliases = ("FlowIPLoadBalancerReverse",)
    takes = (MARKED,)
    args = (Required("LB", ElementRef("IPLoadBalancer"), "the name of the load balancer"),)
    weight = 90

    def constants(self) -> Constants:
        texts = (text.split(None, 1) for text, _ in split_args(self.context.router.element(self.cfg.lb).config))
        vip = next(words[1] for words in texts if words[:1] == ["VIP"])
        return family(ADDRESS.parse(vip, self.context))
