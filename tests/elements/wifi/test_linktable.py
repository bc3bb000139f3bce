"""LinkTable: links between hosts, and the shortest routes over them (Dijkstra's algorithm)."""

import itertools
import random
import re

import pytest
from tests.elements.swapped import runtime

from clickbpf.errors import ClickError

pytestmark = pytest.mark.executors("native")

#: From, to and metric of links between hosts 10.0.0.N.
LINKS = ((1, 2, 100), (2, 3, 100), (1, 3, 300), (3, 1, 120), (2, 1, 150), (3, 4, 777700), (5, 6, 7))


def host(number: int) -> str:
    return f"10.0.0.{number}"


@pytest.fixture
def table(router):
    """table(links, arguments) is a router with the table `t` of host 1."""

    def make(links=LINKS, arguments: str = "", simtime: bool = True):
        r = router(f"t :: LinkTable(IP 10.0.0.1{arguments}); FromDevice(in) -> Discard;", simtime=simtime)
        for here, there, metric in links:
            r.write("t.update_link", f"{host(here)} {host(there)} {metric} 1 0")
        r.write("t.dijkstra")
        return r

    return make


def test_routes(table):
    r = table()
    from_here = "10.0.0.2 hops 1 metric 100 10.0.0.1 (100) 10.0.0.2\n10.0.0.3 hops 2 metric 200 10.0.0.1 (100) 10.0.0.2 (100) 10.0.0.3\n"
    assert r.read("t.routes") == r.read("t.routes_from") == from_here
    assert r.read("t.routes_to") == (
        "10.0.0.1 hops 1 metric 150 10.0.0.2 (150) 10.0.0.1\n10.0.0.1 hops 1 metric 120 10.0.0.3 (120) 10.0.0.1\n"
    )
    assert r.read("t.routes_old") == ("10.0.0.2  10.0.0.1 100 (1,0) 10.0.0.2\n10.0.0.3  10.0.0.1 100 (1,0) 10.0.0.2 100 (1,0) 10.0.0.3\n")
    assert r.read("t.hosts") == "".join(f"{host(number)}\n" for number in range(1, 7))
    assert r.read("t.links") == "".join(f"{host(a)} {host(b)} {metric} 1 0\n" for a, b, metric in LINKS)
    assert re.fullmatch(r"0\.\d+\n", r.read("t.dijkstra_time"))


def test_the_shortest_way_of_all(table):
    """All ways over six hosts are tried."""
    chance = random.Random(6)
    metrics = {ends: chance.randint(1, 100) for ends in itertools.permutations(range(1, 7), 2) if chance.random() < 0.6}
    r = table([(*ends, metric) for ends, metric in metrics.items()])
    found = {int(end): int(metric) for end, metric in re.findall(r"^10\.0\.0\.(\d) hops \d metric (\d+)", r.read("t.routes"), re.M)}
    for end in range(2, 7):
        others = [number for number in range(2, 7) if number != end]
        ways = [(1, *way, end) for n in range(5) for way in itertools.permutations(others, n)]
        lengths = [sum(metrics[step] for step in zip(way, way[1:])) for way in ways if all(step in metrics for step in zip(way, way[1:]))]
        assert found.get(end) == min(lengths, default=None)


def test_news_of_links(table):
    r = table(())
    for news in ("100 5 3", "200 5 0", "300 4 0", "0 9 0", "400 9 121"):
        r.write("t.update_link", f"10.0.0.1 10.0.0.2 {news}")
    r.write("t.update_link", "0.0.0.0 10.0.0.2 1 1 0")
    assert (r.read("t.links"), r.read("t.hosts")) == ("10.0.0.1 10.0.0.2 100 5 3\n", "10.0.0.1\n10.0.0.2\n")
    r.write("t.update_link", "10.0.0.1 10.0.0.2 50 6 0")
    assert r.read("t.links") == "10.0.0.1 10.0.0.2 50 6 0\n"


def test_routes_are_computed_every_five_seconds(table):
    r = table(())
    r.write("t.update_link", "10.0.0.1 10.0.0.2 50 6 0")
    assert r.read("t.routes") == ""
    r.advance(5.1)
    assert r.read("t.routes") == "10.0.0.2 hops 1 metric 50 10.0.0.1 (50) 10.0.0.2\n"


def test_old_links_are_forgotten(table):
    r = table([(1, 2, 100)], ", STALE 20")
    r.advance(18)
    assert r.read("t.links") in (f"10.0.0.1 10.0.0.2 100 1 {age}\n" for age in (18, 19))
    r.advance(9)
    assert (r.read("t.links"), r.read("t.routes")) == ("", "")


def test_the_blacklist(table):
    r = table()
    r.write("t.blacklist_add", "10.0.0.2")
    r.write("t.blacklist_add", "10.0.0.9")
    assert (r.read("t.blacklist"), r.read("t.routes")) == ("10.0.0.2 10.0.0.9 \n", "")
    r.write("t.blacklist_remove", "10.0.0.2")
    assert len(r.read("t.routes").splitlines()) == 2
    r.write("t.blacklist_clear")
    assert r.read("t.blacklist") == "\n"


def test_clear(table):
    r = table()
    r.write("t.clear")
    r.write("t.dijkstra")
    assert [r.read(f"t.{name}") for name in ("links", "routes", "hosts")] == ["", "", "10.0.0.1\n"]


def test_a_table_has_an_end(table):
    r = table(((1, 2, 1), (2, 3, 1)), ", CAPACITY 3")
    with pytest.raises(ClickError, match="full"):
        r.write("t.update_link", "10.0.0.3 10.0.0.4 1 1 0")
    r.write("t.update_link", "10.0.0.3 10.0.0.1 1 1 0")
    r.write("t.update_link", "10.0.0.3 10.0.0.1 7 2 0")
    with pytest.raises(ClickError, match="full"):
        r.write("t.update_link", "10.0.0.3 10.0.0.2 1 1 0")
    for number in range(3):
        r.write("t.blacklist_add", host(number))
    with pytest.raises(ClickError, match="full"):
        r.write("t.blacklist_add", host(9))


@pytest.mark.parametrize("text", ["", "10.0.0.1 10.0.0.2 1 1", "x 10.0.0.2 1 1 0", "10.0.0.1 10.0.0.2 -1 1 0"])
def test_wrong_links(table, text):
    r = table()
    with pytest.raises(ClickError):
        r.write("t.update_link", text)


def test_a_new_router_knows_the_links():
    old = runtime("t :: LinkTable(IP 10.0.0.1)")
    old.handlers.write("t", "update_link", "10.0.0.1 10.0.0.2 7 1 0")
    new = runtime("t :: LinkTable(IP 10.0.0.1)", replaces=old)
    assert new.handlers.read("t", "routes") == "10.0.0.2 hops 1 metric 7 10.0.0.1 (7) 10.0.0.2\n"
    new.close()


def test_hosts_without_links_make_room(table):
    """Their links were forgotten; until somebody needs their places they stay, as in Click."""
    r = table(((1, 2, 1), (2, 3, 1)), ", CAPACITY 3, STALE 20")
    r.advance(18)
    r.write("t.update_link", "10.0.0.1 10.0.0.2 1 2 0")
    r.advance(9)
    assert r.read("t.links").splitlines() == ["10.0.0.1 10.0.0.2 1 2 9"]
    assert r.read("t.hosts").split() == [host(1), host(2), host(3)]
    r.write("t.update_link", "10.0.0.2 10.0.0.4 1 1 0")
    assert r.read("t.hosts").split() == [host(1), host(2), host(4)]
    with pytest.raises(ClickError, match="full, with 2 links and 3 hosts"):
        r.write("t.update_link", "10.0.0.4 10.0.0.5 1 1 0")


MISTAKES = {"LinkTable(IP 0.0.0.0);": "IP not specified"}
