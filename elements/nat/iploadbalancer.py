from clickbpf.declare import NAMES_ANYWHERE, IPAddress, RequiredKeyword, Rest

from ._balancer import BALANCE, LoadBalancer

SERVERS = (
    Rest("DST", IPAddress(), "the servers' addresses", least=1, named=True),
    RequiredKeyword("VIP", IPAddress(), "the address at which clients find the servers, which IPLoadBalancerReverse writes"),
)


class IPLoadBalancer(LoadBalancer, ports="1/1", traits=LoadBalancer.traits | NAMES_ANYWHERE):
    """spreads IP packets over servers

    A class of FastClick. Each packet gets the address of a server as its destination, in its IP header, whose checksum and those of TCP and
    UDP change accordingly (FastClick leaves that to others), and in the annotation. What the servers answer goes through an
    IPLoadBalancerReverse. The element remembers nothing of flows: FlowIPLoadBalancer does. Where no server is active, packets are dropped
    for the reason NO_ROUTE.

    LB_MODE is one of

      - rr: the servers in turn.
      - hash: by a hash of addresses, ports and protocol. Fragments have no ports here, and go by their addresses.
      - hash_ip: by a hash of the addresses.
      - hash_agg: by a hash of the aggregate annotation.
      - cst_hash, cst_hash_ip, cst_hash_agg: the same by consistent hashing, Maglev's, as in katran: when a server comes or goes, few flows
        but its own go to others. FastClick has the last one, by a ring of its own.

    FastClick's modes that go by servers' load, its autoscaling and its mode chash are missing.

    Handlers:

      - `active0`, `active1`, ... (read, write): whether a server is active, which other than active ones get no packets.

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
