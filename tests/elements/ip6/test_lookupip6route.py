"""LookupIP6Route: longest prefixes of 128 bits, as a definition of them says it and as Click's handlers change them."""

from ipaddress import IPv6Address, IPv6Interface

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6
from tests.elements.longest import borders, change, longest_match, memory_of

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6
from clickbpf.vocabulary.library import Library

CLASS = Library.standard().find("LookupIP6Route")
from clickbpf_elements.ip._fibtable import chunks_needed  # noqa: E402 - the library has made the package
from clickbpf_elements.ip._routes import Listed, distinct  # noqa: E402
from clickbpf_elements.ip6._plainroutes import Routes6  # noqa: E402
from clickbpf_elements.ip6._route import Route6  # noqa: E402
from clickbpf_elements.ip6._table import Table6  # noqa: E402


def memory(capacity: int = 64, chunks: int = 600):
    return memory_of(CLASS, capacity, chunks)


def route(prefix: IPv6Interface, hop: int) -> Route6:
    network = prefix.network
    return Route6(int(network.network_address), int(network.netmask), hop << 100, hop % 4)


#: Prefixes that nest, touch, and cross the borders of the trie's levels.
BASES = [int(IPv6Address(text)) for text in ("::", "2001:db8::", "2001:db8:0:1::", "2001:db8:ffff::", "fe80::", "2001:db8::ff00")]
ADDRESSES = st.builds(lambda base, low: IPv6Address(base | low), st.sampled_from(BASES), st.integers(0, 255))
LENGTHS = st.sampled_from([0, 1, 15, 16, 17, 24, 31, 32, 33, 48, 56, 63, 64, 65, 120, 121, 127, 128])
ROUTES = st.builds(lambda address, length, hop: route(IPv6Interface((address, length)), hop), ADDRESSES, LENGTHS, st.integers(0, 9))


@settings(max_examples=100)
@given(st.lists(st.tuples(st.sampled_from(["add", "add", "replace", "remove", "clear"]), ROUTES), max_size=30))
def test_changes_leave_longest_prefixes(changes):
    state = memory()
    table, known = Table6(state), {}
    for what, changed in changes:
        change(table, known, what, changed)
    assert set(table) == set(known.values()) == set(Table6(state))
    for address in borders(known.values(), 128):
        assert table.find(address) == longest_match(known.values(), address)


@settings(max_examples=50)
@given(st.lists(ROUTES, max_size=40, unique_by=lambda r: r[:2]), ROUTES)
def test_many_at_once_are_the_same_as_one_by_one(routes, more):
    at_once, one_by_one = Table6(memory()), Table6(memory())
    at_once.build(Routes6.of(routes))
    for r in routes:
        one_by_one.add(r)
    assert list(at_once) == list(one_by_one) == routes
    for address in borders(routes, 128):
        assert at_once.find(address) == one_by_one.find(address) == longest_match(routes, address)
    known = {r[:2]: r for r in routes}
    change(at_once, known, "replace" if more[:2] in known else "add", more)
    assert set(at_once) == set(known.values())


@given(st.lists(ROUTES, max_size=60))
def test_of_routes_for_one_prefix_the_last_stays(routes):
    expected = list({r[:2]: r for r in routes}.values())
    for kind in (Routes6.of(routes), Listed(routes)):
        assert list(distinct(kind, last=True)) == expected


@given(st.lists(ROUTES, max_size=60))
def test_chunks_are_what_the_trie_takes(routes):
    """One for each prefix of a level's length that longer ones are within."""
    inside = {(r.addr >> 128 - last, last) for r in routes for last in range(16, 128, 8) if r.length > last}
    assert chunks_needed(Routes6.of(routes), 128) == chunks_needed(Listed(routes), 128) == len(inside)


def hop_to(table, address: str) -> str:
    """What the handler `lookup` says."""
    return table.router.executor.runtime.handlers.read("x", "lookup", address)


CLICK = """
    3ffe:1ce1:2::2/128 ::0 0, 3ffe:1ce1:2:0:200::1/128 ::0 0, 3ffe:1ce1:2::/80 ::0 1,
    3ffe:1ce1:2:0:200::/80 ::0 1, 0::ffff:0:0/96 ::0 2, ::0/0 ::c0a8:1 3
"""


@pytest.mark.parametrize(
    "destination, output, hop",
    [
        ("3ffe:1ce1:2::2", 0, None),
        ("3ffe:1ce1:2:0:200::1", 0, None),
        ("3ffe:1ce1:2::3", 1, None),
        ("3ffe:1ce1:2:0:200::2", 1, None),
        ("::ffff:10.0.0.1", 2, None),
        ("3ffe:1ce1:2:0:201::", 3, "::c0a8:1"),
        ("ff02::1", 3, "::c0a8:1"),
    ],
)
def test_packets_go_by_the_routes_of_clicks_example(element, destination, output, hop):
    """conf/ip601.click"""
    table = element(f"LookupIP6Route({CLICK})", noutputs=4, headers="ip6", before="GetIP6Address(24)")
    packet = IPv6(src="2001:db8::2", dst=destination) / UDP()
    table.send(packet)
    assert table.expect(output, packet).carried.annotations[:16] == IPv6Address(hop or destination).packed
    assert hop_to(table, destination) == (f"{output} ::192.168.0.1" if hop else str(output))


def test_handlers_change_it(element):
    table = element("LookupIP6Route(2001:db8::/32 0, 2001:db8::/32 2001:db8::9 1)", noutputs=3, headers="ip6-checked")
    assert table.read("table") == "# Active routes\n2001:db8::/32\t2001:db8::9\t1\n"
    table.write("add", "2001:db8:1::/48 - 2")
    packet = IPv6(src="::", dst="2001:db8:1::2") / UDP()
    table.passes(packet, output=2)
    table.write("set", "2001:db8:1::/48 fe80::1 0")
    table.send(packet)
    assert table.expect(0).carried.annotations[:16] == IPv6Address("fe80::1").packed
    table.write("remove", "2001:db8:1::/48")
    table.send(packet)
    assert table.expect(1).carried.annotations[:16] == IPv6Address("2001:db8::9").packed
    table.write("flush")
    table.drops(packet)
    assert table.dropped("NO_ROUTE") == 1 and table.read("table") == ""
    for wrong in ("10.0.0.0/8 1", "::/0 3", "::/0", "::/129 1"):
        table.refuses("add", wrong)
    table.write("ctrl", "add ::/0 1\nadd ::1 0")
    assert (hop_to(table, "::1"), hop_to(table, "::2")) == ("0", "1")


MANY = "2001:db8::1 0, 2001:db8::/64 1, 2001:db8:1::/64 fe80::9 2, fe80::/10 1, ff00::/8 0, 8000::/1 ::1 2"
CASES = [Case(f"LookupIP6Route({MANY})", noutputs=3, headers="ip6-checked", mix=IPV6)]
MISTAKES = {"LookupIP6Route(::/0 1)": "bad OUTPUT 1", "LookupIP6Route(10.0.0.0/8 0)": "is not an IPv6 prefix"}
