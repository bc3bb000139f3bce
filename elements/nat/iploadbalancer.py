from ipaddress import IPv4Address, IPv6Address

from clickbpf.declare import CARRIED, NAMES_ANYWHERE, ArgError, Constants, IP6Address, IPAddress, OneOf, RequiredKeyword, Rest

from ._balancer import BALANCE, LoadBalancer

ADDRESS = OneOf(IPAddress(), IP6Address())
SERVERS = (
    Rest("DST", ADDRESS, "the servers' addresses, all IPv4 or all IPv6", least=1, named=True),
    RequiredKeyword("VIP", ADDRESS, "the address at which clients find the servers, which IPLoadBalancerReverse writes"),
)


def in_16_bytes(address: IPv4Address | IPv6Address) -> bytes:
    """An address as C has it: an IPv4 address is at the beginning."""
    return address.packed.ljust(16, b"\0")


def family(vip: IPv4Address | IPv6Address) -> Constants:
    """The constants for family.inc.h."""
    values = ", ".join(map(str, in_16_bytes(vip)))
    return {"ip6": ("bool", "true" if vip.version == 6 else "false"), "address": ("__u8[16]", f"{{ {values} }}")}


class IPLoadBalancer(LoadBalancer, ports="1/1", traits=LoadBalancer.traits | NAMES_ANYWHERE):
    """spreads IP packets over servers

    A class of FastClick, for IPv4 or, with IPv6 addresses, for IPv6. Each packet gets the address of a server as its destination, in
    its IP header and in the annotation; checksums of IP, TCP, UDP and ICMPv6 are updated (FastClick leaves that to other elements).
    Replies of the servers go through an IPLoadBalancerReverse. The element has no table of flows: FlowIPLoadBalancer has one. If no
    server is active, packets are dropped for the reason NO_ROUTE.

    LB_MODE is one of

      - rr: the servers in turn.
      - hash: by a hash of addresses, ports and protocol; for fragments, without ports.
      - hash_ip: by a hash of the addresses.
      - hash_agg: by a hash of the aggregate annotation.
      - cst_hash, cst_hash_ip, cst_hash_agg: the same by Maglev's consistent hashing, as in katran: when a server comes or goes, few
        flows of other servers move. FastClick has only the last one, with a ring.

      - least: the server with the lowest load, and of several the first; LST_MODE says which load: packets or bytes since the router
        started, cpu, which the handler `load` sets, or conn, for the flow classes.
      - pow2: the one with less load of two that a hash of addresses, ports and protocol chooses (FastClick: of two at random).

    FastClick's weights (wrr, awrr, table), its autoscaling and its mode chash are missing.

    Handlers:

      - `active0`, `active1`, ... (read, write): whether a server is active. Inactive servers get no packets.

    Example:

        lb :: IPLoadBalancer(VIP 10.0.0.1, DST 10.1.0.1, DST 10.1.0.2, DST 10.1.0.3, LB_MODE cst_hash);
        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> lb -> Unstrip(14) -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> Strip(14) -> CheckIPHeader -> IPLoadBalancerReverse(lb) -> Unstrip(14) -> Queue -> ToDevice(eth0);
    """

    args = (*SERVERS, *BALANCE)

    def configure(self) -> None:
        for number, address in enumerate(self.cfg.dst):
            if address.version != self.cfg.vip.version:
                raise ArgError(f"{address} and VIP {self.cfg.vip} are of different IP versions", argument="DST", index=number)
        super().configure()

    def constants(self) -> Constants:
        return {**super().constants(), **family(self.cfg.vip)}

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return (CARRIED["DST_IP6" if self.cfg.vip.version == 6 else "DST_IP"],)

    @property
    def total(self) -> int:
        return len(self.cfg.dst)

    def names(self) -> list[bytes]:
        return [address.packed for address in self.cfg.dst]

    def initialise(self) -> None:
        super().initialise()
        for server, address in zip(self.state.servers, self.cfg.dst):
            server.address[:] = in_16_bytes(address)
