"""Cuts: no loop is inlined, no program is larger than allowed where a cut can help, and nothing is cut without need."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clickbpf.plan.cut import MOST_TABLES, back_edge_targets, count_copies, cuts, expanded_sizes, expanded_tables


def unit(_name: str) -> int:
    return 100


def chain(length: int) -> dict[str, tuple[str, ...]]:
    return {f"e{i}": (f"e{i + 1}",) if i + 1 < length else () for i in range(length)}


def diamonds(count: int) -> dict[str, tuple[str, ...]]:
    """`count` diamonds one after the other: 2^count paths to the last element."""
    graph: dict[str, tuple[str, ...]] = {}
    for i in range(count):
        graph[f"top{i}"] = (f"left{i}", f"right{i}")
        graph[f"left{i}"] = graph[f"right{i}"] = (f"top{i + 1}",)
    graph[f"top{count}"] = ()
    return graph


@st.composite
def graphs(draw):
    """Any directed graph on up to twelve elements, loops included."""
    size = draw(st.integers(1, 12))
    nodes = [f"e{i}" for i in range(size)]
    return {node: tuple(draw(st.lists(st.sampled_from(nodes), max_size=3))) for node in nodes}


def acyclic_without(graph, cut) -> bool:
    """Whether inlining ends: no cycle among edges that don't lead to a cut element."""
    remaining = {node: {t for t in targets if t not in cut} for node, targets in graph.items()}
    while remaining:
        leaves = {node for node, targets in remaining.items() if not targets & remaining.keys()}
        if not leaves:
            return False
        remaining = {node: targets for node, targets in remaining.items() if node not in leaves}
    return True


def reachable(graph, entry):
    seen, pending = {entry}, [entry]
    while pending:
        for target in graph[pending.pop()]:
            if target not in seen:
                seen.add(target)
                pending.append(target)
    return {node: graph[node] for node in seen}


def test_a_small_program_is_not_cut():
    assert cuts(chain(10), ["e0"], unit, limit=2000, everything=False).before == {}


def test_a_chain_that_is_too_long_is_cut_in_its_middle():
    graph = chain(40)
    found = cuts(graph, ["e0"], unit, limit=2000, everything=False).before
    sizes = expanded_sizes(graph, unit, found)
    assert found and all(sizes[root] <= 2000 for root in ("e0", *found))
    assert len(found) <= 3


def test_what_many_paths_share_is_cut_first():
    """Twelve diamonds would inline the last element 4096 times."""
    graph = diamonds(12)
    found = cuts(graph, ["top0"], unit, limit=3000, everything=False).before
    sizes = expanded_sizes(graph, unit, found)
    assert all(name.startswith("top") for name in found)
    assert all(sizes[root] <= 3000 for root in ("top0", *found))


def test_copies_are_counted_along_every_path():
    assert count_copies(diamonds(3), "top0", ())["top3"] == 8


def test_everything_is_cut_when_asked():
    assert set(cuts(chain(4), ["e0"], unit, limit=10**6, everything=True).before) == {"e1", "e2", "e3"}


@given(graphs())
def test_no_loop_is_inlined(graph):
    graph = reachable(graph, "e0")
    assert acyclic_without(graph, back_edge_targets(graph, ["e0"]))


@given(graphs(), st.integers(300, 3000))
def test_every_program_fits_or_cannot_be_cut_further(graph, limit):
    graph = reachable(graph, "e0")
    found = cuts(graph, ["e0"], unit, limit, everything=False).before
    sizes = expanded_sizes(graph, unit, found)
    for root in {"e0", *found}:
        others = set(graph[root]) - set(found) - {root}
        assert sizes[root] <= limit or not others


@given(graphs())
def test_an_acyclic_graph_within_the_limit_stays_whole(graph):
    graph = reachable(graph, "e0")
    if acyclic_without(graph, ()) and expanded_sizes(graph, unit, ())["e0"] <= 5000:
        assert cuts(graph, ["e0"], unit, 5000, everything=False).before == {}


def test_a_program_of_just_the_limit_is_not_cut():
    chain = {"a": ("b",), "b": ()}
    assert cuts(chain, ["a"], lambda name: 100, 200, False).before == {}
    assert list(cuts(chain, ["a"], lambda name: 100, 199, False).before) == ["b"]


@pytest.mark.parametrize("graph", [chain(300), {"e0": tuple(f"e{i}" for i in range(1, 300)), **{f"e{i}": () for i in range(1, 300)}}])
def test_a_program_has_no_more_tables_than_it_may_use(graph):
    """Whether elements with tables follow each other or are beside each other."""

    def tables(name: str) -> frozenset:
        return frozenset((name, n) for n in range(3))

    found = cuts(graph, ["e0"], unit, 10**6, tables=tables).before
    used = expanded_tables(graph, tables, found)
    assert all(len(used[root]) <= MOST_TABLES for root in ("e0", *found))
    assert len(found) <= 300 * 3 // MOST_TABLES + 1 or len(graph["e0"]) > 1, "no more than a line needs"
    assert "tables" in next(iter(found.values()))
    assert not cuts(graph, ["e0"], unit, 10**6, tables=lambda name: frozenset({"the same"})).before


def test_what_fits_no_program_keeps_nothing_else_whole():
    graph = {"huge": (), **chain(40)}
    found = cuts(graph, ["huge", "e0"], lambda name: 5000 if name == "huge" else 100, 2000).before
    assert found and "huge" not in found


#: A path leads back to the routing table by an error; two devices' packets come to the table.
BACK = {"in0": ("rt",), "in1": ("rt",), "rt": ("ttl",), "ttl": ("out", "error"), "out": (), "error": ("rt",)}


def test_what_few_packets_meet_cuts_nobody_elses_path():
    found = cuts(BACK, ["in0", "in1"], unit, limit=2000, everything=False, seldom=["error"])
    assert set(found.before) == {"error"} and set(found.rejoined) == {"rt"}


def test_a_loop_by_what_many_packets_meet_is_cut():
    found = cuts(BACK, ["in0", "in1"], unit, limit=2000, everything=False)
    assert set(found.before) == {"rt"} and not found.rejoined


def test_what_is_cut_for_all_is_not_rejoined_besides():
    """The program that begins where packets come back is cut as others are."""
    found = cuts(BACK, ["in0", "in1"], unit, limit=300, everything=False, seldom=["error"])
    assert "ttl" in found.before and set(found.rejoined) == {"rt"}
    assert "rt" in cuts(BACK, ["in0"], unit, limit=150, everything=False, seldom=["error"]).before
    assert not cuts(BACK, ["in0"], unit, limit=150, everything=False, seldom=["error"]).rejoined


def test_every_element_alone_leaves_nothing_to_rejoin():
    found = cuts(BACK, ["in0", "in1"], unit, limit=2000, everything=True, seldom=["error"])
    assert set(found.before) == {"rt", "ttl", "out", "error"} and not found.rejoined


@pytest.mark.parametrize("devices, cut", [(4, []), (16, ["join"])])
def test_what_follows_where_many_devices_paths_join_is_compiled_once(devices, cut):
    ways = {f"out{i}": () for i in range(devices)}
    graph = {**{f"in{i}": ("join",) for i in range(devices)}, "join": tuple(ways), **ways}
    found = cuts(graph, [name for name in graph if name.startswith("in")], unit, limit=16_000, everything=False).before
    assert list(found) == cut
