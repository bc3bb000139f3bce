"""Routers joined by links, and taken apart again (click-combine's manual)."""

import pytest

from clickbpf.errors import ClickError
from clickbpf.graph.elaborate import read_text
from clickbpf.graph.router import Connection, Element, Port
from clickbpf.passes.combine import RECEIVERS, SENDERS, RouterLink, combine, find_device, uncombine


def joined(texts: dict[str, str], *links: str):
    routers = {name: read_text(text, None) for name, text in texts.items()}
    found = []
    for link in links:
        ends = [end.split(".") for end in link.split("=")]
        found.append(RouterLink(find_device(routers, *ends[0], SENDERS), find_device(routers, *ends[1], RECEIVERS)))
    return routers, combine(routers, found)


def described(router):
    return {(e.name, e.class_name, e.config) for e in router.elements}, {str(c) for c in router.connections}


PLAIN = "in :: FromDevice(eth0) -> q :: Queue -> out :: ToDevice(eth1)"


def test_a_cable_takes_the_place_of_both_devices():
    _, whole = joined({"A": PLAIN, "B": PLAIN}, "A.eth1=B.eth0")
    elements, connections = described(whole)
    assert ("link1", "RouterLink", "A out ToDevice, eth1, B in FromDevice, eth0") in elements
    assert {name for name, _, _ in elements} == {"A/in", "A/q", "B/q", "B/out", "link1"}
    assert {"A/q[0] -> link1[0]", "link1[0] -> B/q[0]"} <= connections


@pytest.mark.parametrize(
    "links",
    [
        ["A.eth1=B.eth0"],
        ["A.out=B.in", "B.out=A.in"],
        ["A.eth1=B.eth0", "A.eth1=C.eth0"],
        ["A.eth1=C.eth0", "B.eth1=C.eth0"],
        ["A.eth1=B.eth0", "C.eth1=B.eth0", "C.eth1=A.eth0"],
    ],
)
def test_what_is_taken_out_is_what_went_in(links):
    texts = {"A": PLAIN, "B": PLAIN.replace("(eth0)", "(eth0, SNIFFER false)"), "C": PLAIN + "; x :: Idle -> y :: Discard"}
    routers, whole = joined(texts, *links)
    for name, router in routers.items():
        assert described(uncombine(whole, list(routers), name)) == described(router)


def test_links_that_share_a_device_are_one_cable():
    _, whole = joined({"A": PLAIN, "B": PLAIN, "C": PLAIN}, "A.eth1=B.eth0", "A.eth1=C.eth0")
    (link,) = whole.of_class("RouterLink")
    assert link.config == "A out ToDevice, eth1, B in FromDevice, eth0, C in FromDevice, eth0"
    assert {"link1[0] -> B/q[0]", "link1[1] -> C/q[0]"} <= described(whole)[1]


def test_what_tools_have_added_belongs_to_whom_it_is_connected():
    _, whole = joined({"A": PLAIN, "B": PLAIN}, "A.eth1=B.eth0")
    (between,) = [c for c in whole.connections if c.source.element == "A/in"]
    added = Connection(between.source, Port("Align@1")), Connection(Port("Align@1"), between.target)
    whole = whole.with_elements(Element("Align@1", "Align", "4, 2")).without_connections(between).with_connections(*added)
    elements, connections = described(uncombine(whole, ["A", "B"], "A"))
    assert ("Align@1", "Align", "4, 2") in elements
    assert {"in[0] -> Align@1[0]", "Align@1[0] -> q[0]"} <= connections
    assert "Align@1" not in {name for name, _, _ in described(uncombine(whole, ["A", "B"], "B"))[0]}


@pytest.mark.parametrize(
    "link, said",
    [
        ("X.eth1=B.eth0", "no router named 'X'"),
        ("A.eth7=B.eth0", "router 'A' has no element or device named 'eth7'"),
        ("A.eth0=B.eth0", "router 'A' has no element or device named 'eth0'"),
    ],
)
def test_links_to_nowhere_are_refused(link, said):
    with pytest.raises(ClickError, match=said):
        joined({"A": PLAIN, "B": PLAIN}, link)
