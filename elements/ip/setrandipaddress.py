import random

from clickbpf.declare import Array, Constants, Element, IPAddress, IPPrefixNonContiguous, Integer, Optional, Required, be32


class SetRandIPAddress(Element):
    """sets the destination address annotation to a random address

    Every packet gets a random address of the prefix, or one of LIMIT random addresses chosen when the router starts.

    Example: packets to a thousand hosts:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> SetRandIPAddress(10.0.0.0/8, 1000) -> Discard;
    """

    args = (
        Required("PREFIX", IPPrefixNonContiguous(), "the prefix; an address alone is a prefix of 32 bits"),
        Optional("LIMIT", Integer(signed=True, high=1 << 20), -1, "the most different addresses, up to 1048576; zero or negative for no "
            "limit"),
    )
    state_types = {"chosen": Array(lambda element: max(1, element.cfg.limit), address=be32)}
    holds = ()
    annotations = ("DST_IP",)

    def constants(self) -> Constants:
        prefix = self.cfg.prefix
        return {
            "network": ("__be32", IPAddress().c_value(prefix.network)),
            "mask": ("__be32", IPAddress().c_value(prefix.mask)),
        }

    def initialise(self) -> None:
        network, hosts = int(self.cfg.prefix.network), ~int(self.cfg.prefix.mask) & 0xFFFFFFFF
        for entry in self.state.chosen:
            entry.address = random.getrandbits(32) & hosts | network
