"""StaticIP6Lookup: the longest prefix, whatever the order of the routes."""

from ipaddress import IPv6Address, IPv6Network
from random import Random

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.packets import IPV6

ROUTES = "2001:db8::1 0, 2001:db8::/64 1, 2001:db8::/32 fe80::9 2, 8000::/1 3, ::/0 2001:db8::fe 1"


def number(address):
    return int(IPv6Address(address))


def lookup(rt, address):
    """What the handler `lookup` says."""
    return rt.router.executor.runtime.handlers.read("x", "lookup", address)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    "destination, output, hop",
    [
        ("2001:db8::1", 0, "2001:db8::1"),
        ("2001:db8::", 1, "2001:db8::"),
        ("2001:db8::2", 1, "2001:db8::2"),
        ("2001:db8::ffff:ffff:ffff:ffff", 1, "2001:db8::ffff:ffff:ffff:ffff"),
        ("2001:db8:0:1::", 2, "fe80::9"),
        ("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", 2, "fe80::9"),
        ("2001:db9::", 1, "2001:db8::fe"),
        ("7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 1, "2001:db8::fe"),
        ("8000::", 3, "8000::"),
        ("fe80::7", 3, "fe80::7"),
    ],
)
def test_the_longest_prefix_wins(element, order, destination, output, hop):
    routes = ", ".join(ROUTES.split(", ")[::order])
    rt = element(f"StaticIP6Lookup({routes})", headers="ip6-checked", noutputs=4)
    packet = IPv6(src="2001:db8:5::5", dst=destination) / UDP()
    rt.send(packet)
    assert rt.expect(output, packet).carried["DST_IP6"] == number(hop)
    expected = str(output) if hop == destination else f"{output} {hop}"
    assert lookup(rt, destination) == expected


def test_without_a_route_it_is_dropped(element):
    rt = element("StaticIP6Lookup(2001:db8::/33 0)", headers="ip6-checked")
    rt.drops(IPv6(src="2001:db8::5", dst="2001:db8:8000::") / UDP())
    assert rt.dropped("NO_ROUTE") == 1 and lookup(rt, "2001:db8:8000::") == "-1"


@pytest.mark.executors("native")
@pytest.mark.parametrize("each", [3, 12])
def test_it_agrees_with_a_search_of_all_routes(element, each):
    """A table of prefixes within prefixes, few or many of each length, and the addresses at their edges."""
    random = Random(6)
    networks = list({
        IPv6Network((random.getrandbits(8) << 120 | random.getrandbits(8) << 56, length), strict=False)
        for length in (3, 8, 48, 64, 72, 127, 128) for _ in range(each)
    })  # fmt: skip
    rt = element(
        f"StaticIP6Lookup({', '.join(f'{network} {i % 4}' for i, network in enumerate(networks))})", headers="ip6-checked", noutputs=4
    )
    edges = {address for network in networks for end in (network[0], network[-1]) for address in (int(end) - 1, int(end), int(end) + 1)}
    for address in (IPv6Address(edge) for edge in sorted(edges) if 1 < edge < 1 << 128):
        found = max((n for n in networks if address in n), key=lambda n: n.prefixlen, default=None)
        rt.send(IPv6(src="2001:db8::5", dst=str(address)) / UDP())
        if found is None:
            rt.expect_nothing()
        else:
            rt.expect(networks.index(found) % 4)


def test_executors_agree():
    configuration = """
        FromDevice(in) -> Strip(14) -> CheckIP6Header
            -> rt :: StaticIP6Lookup(2001:db8::/33 0, 2001:db8::/32 fe80::9 1, ::/1 2, 4000::/2 fe80::7 1);
        rt[0] -> Queue -> ToDevice(a); rt[1] -> Queue -> ToDevice(b); rt[2] -> Queue -> ToDevice(c);
    """
    assert_equivalent(configuration, 2000, mix=IPV6)


def test_mistakes(refused):
    assert "bad OUTPUT 1" in refused("StaticIP6Lookup(::/0 1)")
    assert "ADDR/LENGTH [GATEWAY] OUTPUT" in refused("StaticIP6Lookup(::/0)")
    many = ", ".join(f"2001:db8:{n:x}::/48 ::{n:x} 0" for n in range(1, 2000))
    assert "too many to compile" in refused(f"StaticIP6Lookup({many})")
