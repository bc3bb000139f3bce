from clickbpf.declare import NAMES_ANYWHERE, IPAddress, RequiredKeyword, Rest

from ._balancer import BALANCE, LoadBalancer

SERVERS = (
    Rest("DST", IPAddress(), "the servers' addresses", least=1, named=True),
    RequiredKeyword("VIP", IPAddress(), "the address at which clients find the servers, which IPLoadBalancerReverse writes"),
)


class IPLoadBalancer(LoadBalancer, ports="1/1", traits=LoadBalancer.traits | NAMES_ANYWHERE):
    """spreads IP packets over servers

    A class of FastClick. Each packet gets the address of a server as its destination, in its IP header and in the annotation;
    checksums of IP, TCP and UDP are updated (FastClick leaves that to other elements). Replies of the servers go through an
    IPLoadBalancerReverse. The element has no table of flows: FlowIPLoadBalancer has one. If no server is active, packets are
    dropped for the reason NO_ROUTE.

    LB_MODE is one of

      - rr: the servers in turn.
      - hash: by a hash of addresses, ports and protocol; for fragments, without ports.
      - hash_ip: by a hash of the addresses.
      - hash_agg: by a hash of the aggregate annotation.
      - cst_hash, cst_hash_ip, cst_hash_agg: the same by Maglev's consistent hashing, as in katran: when a server comes or goes, few
        flows of other servers move. FastClick has only the last one, with a ring.

    FastClick's modes by servers' load, its autoscaling and its mode chash are missing.

    Handlers:

      - `active0`, `active1`, ... (read, write): whether a server is active. Inactive servers get no packets.

    Example:

        lb :: IPLoadBalancer(VIP 10.0.0.1, DST 10.1.0.1, DST 10.1.0.2, DST 10.1.0.3, LB_MODE cst_hash);
        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> lb -> Unstrip(14) -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> Strip(14) -> CheckIPHeader -> IPLoadBalancerReverse(lb) -> Unstrip(14) -> Queue -> ToDevice(eth0);
    """

    args = (*SERVERS, *BALANCE)
    annotations = ("DST_IP",)

    @property
    def total(self) -> int:
        return len(self.cfg.dst)

    def names(self) -> list[bytes]:
        return [address.packed for address in self.cfg.dst]

    def initialise(self) -> None:
        super().initialise()
        for server, address in zip(self.state.servers, self.cfg.dst):
            server.address = int(address)
