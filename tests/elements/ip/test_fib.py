"""The trie after the routing tables, against longest-prefix match as its definition says it."""

from ipaddress import IPv4Address

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.elements.longest import borders, change, longest_match, memory_of

from clickbpf.vocabulary.library import Library

FIB_TABLE = Library.standard().find("RadixIPLookup")
from clickbpf_elements.ip._fib import ROOT_CHUNKS, NoChunk  # noqa: E402 - the library has made the package
from clickbpf_elements.ip._route import Route  # noqa: E402
from clickbpf_elements.ip._routes import Listed, Routes, distinct  # noqa: E402
from clickbpf_elements.ip._table import Table  # noqa: E402


def memory(capacity: int = 64, chunks: int = 64):
    return memory_of(FIB_TABLE, capacity, chunks)


def route(text: str, gateway: int = 0, port: int = 0) -> Route:
    address, length = text.split("/")
    mask = (1 << 32) - (1 << (32 - int(length)))
    return Route(int(IPv4Address(address)) & mask, mask, gateway, port)


#: Prefixes that nest, touch, and cross the borders of the trie's levels.
ADDRESSES = st.builds(
    lambda base, low: base | low,
    st.sampled_from([0, 0x0A000000, 0x0A010000, 0x0A010100, 0x0AFFFF00, 0xFFFFFF00, 0x80000000]),
    st.integers(0, 255),
)
LENGTHS = st.sampled_from([0, 1, 8, 15, 16, 17, 20, 23, 24, 25, 28, 31, 32])
CHANGES = st.sampled_from(["add"] * 8 + ["replace"] * 4 + ["remove"] * 4 + ["clear"])
HOPS = st.integers(0, 9)
ROUTES = st.builds(lambda address, length, hop: route(f"{IPv4Address(address)}/{length}", hop, hop % 4), ADDRESSES, LENGTHS, HOPS)


@settings(max_examples=150)
@given(st.lists(st.tuples(CHANGES, ROUTES), max_size=40))
def test_changes_leave_what_a_fresh_table_would_have(changes):
    state = memory()
    table, known = Table(state), {}
    for what, changed in changes:
        change(table, known, what, changed)
    for reader in (table, Table(state)):
        assert sorted(reader) == sorted(known.values())
        for address in (*borders(known.values(), 32), 0, 0xFFFFFFFF):
            assert reader.find(address) == longest_match(known.values(), address)


@settings(max_examples=50)
@given(st.lists(ROUTES, max_size=40, unique_by=lambda r: r[:2]))
def test_many_at_once_are_the_same_as_one_by_one(routes):
    at_once, one_by_one = Table(memory()), Table(memory())
    at_once.build(Routes.of(routes))
    for r in routes:
        one_by_one.add(r)
    assert list(at_once) == list(one_by_one) == routes
    for address in borders(routes, 32):
        assert at_once.find(address) == one_by_one.find(address) == longest_match(routes, address)


def test_of_routes_for_one_prefix_the_first_stays():
    texts = ["10.0.0.0/8", "10.0.0.0/16", "10.0.0.0/8", "11.0.0.0/8", "10.0.0.0/16", "10.0.0.0/8"]
    routes = [route(text, port=number) for number, text in enumerate(texts)]
    for kind in (Routes.of(routes), Listed(routes)):
        assert [r.port for r in distinct(kind)] == [0, 1, 3]


def test_nothing_remains_of_removed_routes():
    """All chunks come back: one prefix after another gets along with two."""
    state = memory(capacity=1, chunks=2)
    table = Table(state)
    for number in range(6):
        long = route(f"10.{number}.1.1/32")
        table.add(long)
        table.remove(long)
    assert not any(any(chunk.cell) for chunk in list(state.fib)[:ROOT_CHUNKS])


def test_a_table_is_full_at_its_capacity_and_not_before():
    table = Table(memory(capacity=2, chunks=3))
    table.add(route("10.0.0.1/32"))
    with pytest.raises(NoChunk):
        table.add(route("11.0.0.1/32"))
    table.add(route("11.0.0.0/24"))
    assert [str(r) for r in table] == ["10.0.0.1/32 - 0", "11.0.0.0/24 - 0"]
    with pytest.raises(MemoryError):
        table.add(route("12.0.0.0/8"))
    assert table.find(int(IPv4Address("12.0.0.1"))) is None
    table.remove(route("10.0.0.1/32"))
    table.add(route("12.0.0.0/8"))
    assert [str(r) for r in table] == ["12.0.0.0/8 - 0", "11.0.0.0/24 - 0"]


def test_another_process_sees_and_makes_changes():
    state = memory()
    mine, other = Table(state), Table(state)
    mine.add(route("10.0.0.0/8", port=1))
    assert mine.is_current and not other.is_current
    again = Table(state)
    again.add(route("10.1.0.0/16", port=2))
    assert Table(state).find(int(IPv4Address("10.1.2.3"))).port == 2
