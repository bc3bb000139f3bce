"""The routing tables: StaticIPLookup, LinearIPLookup, RadixIPLookup, DirectIPLookup, all as Click's IPRouteTable says."""

import errno
import random
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address

import pytest
from scapy.layers.inet import IP, UDP

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.runtime.handlers import HandlerError
from clickbpf.testing.cases import Case
from clickbpf.testing.equivalence import assert_element_equivalent
from clickbpf.testing.packets import Mix
from clickbpf.vocabulary.library import Library

CHANGING = ("LinearIPLookup", "RadixIPLookup", "DirectIPLookup")
#: One of each kind.
KINDS = ("StaticIPLookup", "RadixIPLookup")
ROUTES = "10.0.0.0/8 0, 10.1.0.0/16 1.2.3.4 1, 10.1.2.0/24 2, 10.1.2.3 5.6.7.8 0, 18.26.4/22 1, 0/0 9.9.9.9 2"


def packet(destination: str) -> IP:
    return IP(src="10.0.0.2", dst=destination) / UDP()


@pytest.fixture
def table(element):
    """table("RadixIPLookup(...)", 3): the element after CheckIPHeader, with `hop` to ask it."""

    def make(text: str, outputs: int = 3):
        made = element(text, noutputs=outputs, headers="ip-checked")
        handlers = made.router.executor.runtime.handlers
        made.hop = lambda address: handlers.read("x", "lookup", address)
        return made

    return make


@pytest.mark.parametrize("name", KINDS)
def test_packets_go_by_the_longest_prefix(table, name):
    rt = table(f"{name}({ROUTES})")
    for destination, output, hop in (
        ("10.9.9.9", 0, "10.9.9.9"),
        ("10.1.9.9", 1, "1.2.3.4"),
        ("10.1.2.2", 2, "10.1.2.2"),
        ("10.1.2.3", 0, "5.6.7.8"),
        ("10.1.2.4", 2, "10.1.2.4"),
        ("10.255.255.255", 0, "10.255.255.255"),
        ("11.0.0.0", 2, "9.9.9.9"),
        ("18.26.7.255", 1, "18.26.7.255"),
        ("18.26.8.0", 2, "9.9.9.9"),
        ("255.255.255.255", 2, "9.9.9.9"),
    ):
        rt.send(packet(destination))
        rt.expect(output, packet(destination), DST_IP=int.from_bytes(map(int, hop.split(".")), "big"))
        assert rt.hop(destination) == (f"{output}" if hop == destination else f"{output} {hop}")


@pytest.mark.parametrize("name", KINDS)
def test_without_a_route_packets_are_dropped(table, name):
    rt = table(f"{name}(10.0.0.0/8 0)", 1)
    for destination in ("9.255.255.255", "11.0.0.0", "0.0.0.0"):
        rt.send(packet(destination))
    rt.expect_nothing()
    assert rt.dropped("NO_ROUTE") == 3
    assert rt.hop("11.0.0.0") == "-1"


@pytest.mark.parametrize("name", KINDS)
def test_the_table_as_text(table, name):
    """Columns as in Click: of several routes for a prefix the first stays."""
    rt = table(f"{name}(10.0.0.0/8 1.2.3.4 1, 1.2.3.4 0, 255.255.255.255/32 255.255.255.255 0, 10.9.9.9/8 0, 0/0 - 1)", 2)
    assert rt.read("table") == (
        "10.0.0.0/8\t\t1.2.3.4\t\t1\n"
        "1.2.3.4/32\t\t-\t\t0\n"
        "255.255.255.255/32\t255.255.255.255\t0\n"
        "0.0.0.0/0\t\t-\t\t1\n"
    )
    with pytest.raises(ClickError, match="expected IP address"):
        rt.hop("nowhere")


@pytest.mark.parametrize("name", (*KINDS, "LookupIP6Route"))
def test_routes_that_have_no_effect_are_warned_of(name):
    """Click counts them, too, in words of its own, but not those of LookupIP6Route."""
    net, rest = ("2001::/16", "::/0") if name == "LookupIP6Route" else ("10.0.0.0/8", "0/0")
    text = f"Idle -> r :: {name}({net} 0, {rest} 1, {net} 1, {net} 0) -> Discard; r[1] -> Discard;"
    (warning,) = check_text(text, Library.standard()).warnings
    assert warning.message == f"{name}: 2 routes have no effect: of several for one prefix the {'last' if '6' in name else 'first'} counts"
    assert (warning.place.line, warning.place.column) == (1, 1 + text.index(f"{net} 1"))
    (said,) = warning.in_click
    assert said.message == ("" if "6" in name else f"While configuring 'r :: {name}':\n  warning: 2 routes replaced by later versions")
    assert not check_text(text.replace(f", {net} 1, {net} 0", ""), Library.standard()).warnings


def test_masks_with_holes_are_static(table, refused):
    """Click's rule: a later route counts if its mask has all ones of the mask before it."""
    rt = table("StaticIPLookup(10.0.0.0/255.0.255.0 0, 10.0.0.1/255.0.0.255 1, 10.1.0.1/255.255.255.255 2)")
    assert rt.read("table").split("\n")[0] == "10.0.0.0/255.0.255.0\t-\t\t0"
    for destination, output in (("10.7.0.5", 0), ("10.7.7.1", 1), ("10.7.0.1", 0), ("10.1.0.1", 2)):
        rt.send(packet(destination))
        rt.expect(output, packet(destination))
        assert rt.hop(destination) == str(output)
    assert "has holes" in refused("RadixIPLookup(10.0.0.0/255.0.255.0 0)")


def test_routes_come_and_go(table):
    """Click's own test of its tables, test/ip/iplookups-01."""
    rt = table("RadixIPLookup()")
    for command, route, hop in (
        ("add", "18.26/16 1.0.0.1 0", "0 1.0.0.1"),
        ("add", "18.26.0/18 2.0.0.2 1", "1 2.0.0.2"),
        ("add", "18.26.0/17 3.0.0.3 2", "1 2.0.0.2"),
        ("remove", "18.26.0/18 2.0.0.2 1", "2 3.0.0.3"),
        ("remove", "18.26.0/16 1.0.0.1 0", "2 3.0.0.3"),
        ("add", "18.26.0/12 4.0.0.4 0", "2 3.0.0.3"),
        ("remove", "18.26.0/17 3.0.0.3 2", "0 4.0.0.4"),
        ("add", "0.0.0.0/32 99.99.99.99 0", "0 4.0.0.4"),
        ("add", "18.26.4.9/32 5.0.0.5 0", "0 5.0.0.5"),
        ("remove", "18.26.4.9/32 5.0.0.5 0", "0 4.0.0.4"),
        ("set", "18.26.0/12 7.0.0.7 0", "0 7.0.0.7"),
        ("remove", "18.26.0/12", "-1"),
        ("set", "0/0 8.0.0.8 1", "1 8.0.0.8"),
        ("flush", "", "-1"),
    ):
        rt.write(command, route)
        assert rt.hop("18.26.4.9") == hop
        rt.send(packet("18.26.4.9"))
        if hop == "-1":
            rt.expect_nothing()
        else:
            output, gateway = hop.split()
            rt.expect(int(output), packet("18.26.4.9"), DST_IP=int.from_bytes(map(int, gateway.split(".")), "big"))
    assert rt.read("table") == ""


#: What a refused write says, and the error number that Click's tables return.
WRONG_WRITES = {
    ("add", "10.0.0.0/8 1"): ("conflict with existing route '10.0.0.0/8 1.2.3.4 0'", errno.EEXIST),
    ("add", "10.0.0.0/8"): ("expected 'ADDR/MASK [GATEWAY] OUTPUT'", errno.EINVAL),
    ("add", "10.0.0.0/8 - 1 2"): ("expected 'ADDR/MASK [GATEWAY] OUTPUT'", errno.EINVAL),
    ("add", ""): ("expected 'ADDR/MASK [GATEWAY] OUTPUT'", errno.EINVAL),
    ("add", "11.0.0.0/8 7"): ("bad OUTPUT", errno.EINVAL),
    ("set", "11.0.0.0/8 -1"): ("bad OUTPUT", errno.EINVAL),
    ("remove", "11.0.0.0/8"): ("route '11.0.0.0/8 - -1' not found", errno.ENOENT),
    ("remove", "10.0.0.0/8 4.3.2.1 0"): ("route '10.0.0.0/8 4.3.2.1 0' not found", errno.ENOENT),
    ("remove", "10.0.0.0/8 1.2.3.4 9"): ("bad OUTPUT", errno.EINVAL),
    ("remove", "10.0.0.0/8 x"): ("expected 'ADDR/MASK [GATEWAY OUTPUT]'", errno.EINVAL),
    ("ctrl", "delete 10.0.0.0/8"): ("bad command 'delete'", errno.EINVAL),
    ("add", "12.0.0.0/255.0.255.0 1"): ("has holes", errno.EINVAL),
    ("ctrl", "add 9.0.0.0/8 0\nadd 10.0.0.0/8 0\nadd x"): ("line 2: conflict", errno.EEXIST),
    ("ctrl", "remove 9.0.0.0/8\nadd x"): ("line 1: route '9.0.0.0/8 - -1' not found", errno.ENOENT),
}


@pytest.mark.executors("native")
@pytest.mark.parametrize("name", CHANGING)
def test_refusals_change_nothing(table, name):
    rt = table(f"{name}(10.0.0.0/8 1.2.3.4 0)", 2)
    for (handler, text), (message, number) in WRONG_WRITES.items():
        with pytest.raises(HandlerError) as error:
            rt.write(handler, text)
        assert message in str(error.value)
        assert error.value.result == -number
    assert rt.read("table") == "10.0.0.0/8\t\t1.2.3.4\t\t0\n"


@pytest.mark.executors("native")
def test_a_group_of_changes_is_made_or_not(table):
    rt = table("RadixIPLookup(10.0.0.0/8 0, 11.0.0.0/8 0)", 2)
    before = rt.read("table")
    with pytest.raises(ClickError, match="line 5: route '13.0.0.0/8 - -1' not found"):
        rt.write("ctrl", "add 12.0.0.0/8 1\nset 10.0.0.0/8 1\n\nremove 11.0.0.0/8\nremove 13.0.0.0/8\nadd 14.0.0.0/8 1")
    assert rt.read("table") == before
    rt.write("ctrl", "add 12.0.0.0/8 1 // the new link\nset 10.0.0.0/8 1\nremove 11.0.0.0/8\n")
    assert rt.read("table").split() == ["10.0.0.0/8", "-", "1", "12.0.0.0/8", "-", "1"]
    assert rt.hop("11.0.0.1") == "-1"


@pytest.mark.executors("native")
def test_a_full_table_says_what_to_raise(table):
    rt = table("RadixIPLookup(10.0.0.0/8 0, CAPACITY 2, CHUNKS 1)", 1)
    rt.write("add", "11.0.0.0/24 0")
    with pytest.raises(HandlerError, match="no memory to store route '12.0.0.0/8 - 0'") as error:
        rt.write("add", "12.0.0.0/8 0")
    assert error.value.diagnostics[0].hint == "raise CAPACITY, which is 2"
    assert error.value.result == -errno.ENOMEM
    rt.write("remove", "10.0.0.0/8")
    with pytest.raises(HandlerError, match="no memory") as error:
        rt.write("add", "12.0.0.0/24 0")
    assert error.value.diagnostics[0].hint == "raise CHUNKS, which is 1"
    assert error.value.result == -errno.ENOMEM


def test_names_of_long_ago():
    find = Library.standard().find
    assert find("LookupIPRouteMP") == find("StaticIPLookup")
    assert (find("LookupIPRoute"), find("LookupIPRoute2")) == (find("StaticIPLookup"), find("RadixIPLookup"))


def test_mistakes(refused):
    for name in KINDS:
        mistakes = refused(f"{name}(10.0.0.0/8 0, 10.1.0.0/16 1, 11.0.0.0/8, 12.0.0.0/33 0)").split("\n")
        assert [line.split(":")[2] for line in mistakes] == [str(len(f"x :: {name}(10.0.0.0/8 0, 10.1.0.0/16 1, ") + n) for n in (1, 13)]
        assert "bad OUTPUT 1" in refused(f"{name}(10.0.0.0/8 0, 10.1.0.0/16 1)")
    assert "raise CAPACITY" in refused("RadixIPLookup(10.0.0.0/8 0, 11.0.0.0/8 0, CAPACITY 1)")
    assert "raise CHUNKS" in refused("DirectIPLookup(10.0.0.0/24 0, CHUNKS 0)")
    many = ", ".join(f"{n >> 8}.{n & 255}.0.0/17 {n % 2}" for n in range(20000))
    assert "use RadixIPLookup" in refused(f"StaticIPLookup({many})", outputs=2)


@pytest.mark.parametrize("name", ["RadixIPLookup", "StaticIPLookup"])
def test_routes_out_of_place_among_many(refused, name):
    """Whatever stands between routes in the plain form is read as ever, and reported where it stands."""
    lines = [f"10.{n >> 8}.{n & 255}.0/24 {n % 2}, // {n}" for n in range(1000)]
    lines[200], lines[400] = "10.0.200/24 /* here */ 1,", "10.1.144.0/24 7,"
    lines[600], lines[700], lines[800] = "10.2.88.0/33 1,", "10.2.188.0/24 1, 10.2.189.0/24 - 2,", "10.300.0.0/16 0,"
    said = refused(f"{name}(\n" + "\n".join(lines[:600]) + "\n)", outputs=2)
    assert [line.split(":")[1:3] for line in said.split("\n")] == [["402", "1"]]
    said = refused(f"{name}(\n" + "\n".join(lines) + "\n)", outputs=2)
    assert [line.split(":")[1:3] for line in said.split("\n")] == [["602", "1"], ["802", "1"]]


def test_a_table_of_rubbish_is_refused_in_a_hundred_lines(refused):
    for wrong in ("10.0.0.0/8 9", "rubbish", "300.0.0.0/8 0"):
        said = refused(f"RadixIPLookup({f'{wrong}, ' * 20_000})")
        assert said.count("\n") == 100
        assert "too many mistakes" in said


@pytest.mark.executors("native")
def test_a_large_table_has_room_for_more(table):
    """Also where its prefixes are far from each other."""
    rt = table(f"RadixIPLookup({', '.join(f'{n >> 8}.{n & 255}.0.0/25 0' for n in range(1 << 14, 1 << 15))}, CAPACITY 20000)", 1)
    rt.write("ctrl", "\n".join(f"add {n >> 8}.{n & 255}.0.0/25 0" for n in range(1 << 15, (1 << 15) + 2000)))
    assert rt.hop("128.1.0.1") == "0" and rt.hop("64.1.0.1") == "0" and rt.hop("64.1.0.200") == "-1"


@pytest.mark.executors("bpf")
def test_packets_find_a_route_while_routes_change(router):
    """Chunks are linked and joined on the way of packets that run meanwhile, and none is lost."""
    made = router("FromDevice(eth0) -> Strip(14) -> GetIPAddress(16) -> rt :: RadixIPLookup(10/8 0) -> d :: Discard;")
    (program,) = made.executor.kernel.programs.values()
    sent, changes = 2_000_000, 0
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(program.test_run, bytes(14) + bytes(packet("10.1.2.3")), repeat=sent)
        while not running.done():
            for route in ("10.1.2.3/32 0", "10.1.0.0/16 0", "10.1.2.0/24 0"):
                made.write("rt.add", route)
            for route in ("10.1.2.0/24", "10.1.2.3/32", "10.1.0.0/16"):
                made.write("rt.remove", route)
            changes += 6
    assert changes > 6
    assert made.dropped("rt") == 0 and made.dropped("d") == sent


CASES = [Case(f"{name}({ROUTES})", noutputs=3, headers="ip-checked", packets=2000, handlers=["x.*"]) for name in KINDS]


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("name", KINDS)
def test_executors_agree_on_many_routes(name):
    generator = random.Random(4)
    addresses = [generator.randrange(1 << 32) for _ in range(60)]
    prefixes = [f"{IPv4Address(address)}/{length}" for address in addresses for length in (9, 17, 24, 26, 32)]
    text = ", ".join(f"{prefix} 10.9.{number % 7}.1 {number % 3}" for number, prefix in enumerate(prefixes))
    near = tuple(str(IPv4Address(address ^ 1 << generator.randrange(24))) for address in addresses)
    mix = Mix(addresses=near, wrong=0, damaged=0)
    assert_element_equivalent(f"{name}({text})", noutputs=3, headers="ip-checked", packets=1000, mix=mix, handlers=["x.table"])


#: The names that begin Click's messages; some tables have none.
TITLES = {
    "StaticIPLookup": "LinearIPLookup",
    "RadixIPLookup": "IPRouteTable",
    "DirectIPLookup": None,
    "LinearIPLookup": "LinearIPLookup",
    "RangeIPLookup": None,
}


@pytest.mark.executors("native")
@pytest.mark.parametrize("name, title", TITLES.items())
def test_the_first_five_packets_without_a_route_are_reported_as_in_click(table, capfd, name, title):
    rt = table(f"{name}(10.0.0.0/8 0)", outputs=1)
    for number in range(7):
        rt.send(packet(f"11.0.0.{number}"))
        rt.expect_nothing()
    told = [f"{title}: no route for 11.0.0.{number}" for number in range(5)] if title else []
    assert capfd.readouterr().err.splitlines() == told


MISTAKES = {f"RadixIPLookup(10.0.0.0/8 {1 << 70}, 11.0.0.0/8 4294967296)": "bad OUTPUT"}
