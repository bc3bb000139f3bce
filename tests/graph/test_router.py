"""Queries and edits of the flat router graph."""

import pytest

from clickbpf.errors import Place
from clickbpf.graph.elaborate import read_text
from clickbpf.graph.router import Connection, Element, Port, Router

ROUTER = read_text("a :: A; b :: B; c :: C(1, 2); a -> b -> c; a [1] -> [2] c; b -> [1] c")


def link(source, out, target, into):
    return Connection(Port(source, out), Port(target, into))


def test_queries():
    assert [e.name for e in ROUTER.elements] == ["a", "b", "c"]
    assert ROUTER.element("c").class_name == "C"
    assert "b" in ROUTER and "z" not in ROUTER
    assert ROUTER.position["c"] == 2
    assert ROUTER.of_class("B") == (ROUTER.element("b"),)
    assert (ROUTER.n_inputs("c"), ROUTER.n_outputs("c")) == (3, 0)
    assert ROUTER.n_outputs("a") == 2
    with pytest.raises(KeyError):
        ROUTER.element("z")


def test_connections_of_an_element_and_of_a_port():
    assert ROUTER.connections == (
        link("a", 0, "b", 0), link("a", 1, "c", 2), link("b", 0, "c", 0), link("b", 0, "c", 1),
    )  # fmt: skip
    assert ROUTER.connections_from("a") == (link("a", 0, "b", 0), link("a", 1, "c", 2))
    assert ROUTER.connections_from("a", 1) == (link("a", 1, "c", 2),)
    assert ROUTER.connections_to("c", 1) == (link("b", 0, "c", 1),)
    assert ROUTER.connections_to("a") == ()


def test_arguments_without_places():
    assert Element("x", "X", "a, b").args() == [("a", None), ("b", None)]
    assert Element("x", "X", "a", Place("f", 1, 2)).args() == [("a", Place("f", 1, 2))]


def test_adding():
    router = ROUTER.with_elements(Element("d", "D")).with_connections(link("d", 0, "a", 0))
    assert router.connections_from("d") == (link("d", 0, "a", 0),)
    assert "d" not in ROUTER
    with pytest.raises(ValueError, match="'a'"):
        ROUTER.with_elements(Element("a", "X"))
    with pytest.raises(ValueError, match="'z', which is not an element"):
        ROUTER.with_connections(link("a", 0, "z", 0))


def test_connections_are_unique_and_sorted():
    again = ROUTER.with_connections(link("b", 0, "c", 0), link("a", 0, "a", 0))
    assert again.connections == (link("a", 0, "a", 0), *ROUTER.connections)


def test_removing():
    assert ROUTER.without_elements("b").connections == (link("a", 1, "c", 2),)
    assert ROUTER.without_connections(link("a", 1, "c", 2)).n_outputs("a") == 1


def test_replacing_keeps_position_and_connections():
    router = ROUTER.with_element_replaced("b", Element("q", "Q"))
    assert [e.name for e in router.elements] == ["a", "q", "c"]
    assert router.connections[0] == link("a", 0, "q", 0)
    with pytest.raises(ValueError):
        ROUTER.with_element_replaced("b", Element("a", "Q"))
    with pytest.raises(ValueError):
        ROUTER.with_element_replaced("z", Element("y", "Q"))


def test_bypass():
    assert ROUTER.bypass("b").connections == (
        link("a", 0, "c", 0), link("a", 0, "c", 1), link("a", 1, "c", 2),
    )  # fmt: skip


def test_bypass_of_an_element_connected_to_itself():
    router = read_text("a :: A -> b :: B -> b -> c :: C")
    assert router.bypass("b").connections == (link("a", 0, "c", 0),)


def test_routers_are_values():
    assert read_text("a::A b::B c::C(1, 2) b -> [1]c a[1] -> [2]c; a->b->c") == ROUTER
    assert Router() == Router()
