"""What flows that are begun from outside may take: nothing that the hosts inside need (RFC 4787, 5; RFC 6146, 3.5 and 5.1)."""

import pytest
from tests.axes import axis
from tests.elements.nat.packets import PEER, tcp, udp
from tests.elements.nat.test_bindings import HOST, OTHER, OUT, PATTERN, ROUTER, frame, goes_out
from tests.elements.swapped import runtime

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import HANDED, SENT

STRANGER = "9.9.9.9"
OPEN = ROUTER.replace("FILTER address", "FILTER any")


@pytest.fixture
def nat(element):
    """nat("MAPPING_CAPACITY 4") is an IPRewriter with endpoints that anybody may send to."""

    def make(*arguments: str, inputs: int = 2, filter_: str = "any", specs: tuple[str, ...] = (PATTERN, "drop"), **options):
        given = (*specs, "INDEPENDENT true", f"FILTER {filter_}", *arguments)
        return element(f"IPRewriter({', '.join(given)})", inputs, 2, headers="ip-checked", simtime=True, **options)

    return make


def knock(x, port: int, number: int = 1, *, source: str = STRANGER, make=udp, first: int = 1000, **fields) -> int:
    """Packets from outside to a host's port, each of another flow; how many come in."""
    dropped = x.dropped()
    for other in range(first, first + number):
        x.send(make(source, other, OUT, port, **fields), 1)
    came = number - (x.dropped() - dropped)
    for _ in range(came):
        x.expect(1)
    x.expect_nothing()
    return came


def test_they_take_none_of_a_hosts_share(nat):
    x = nat("HOST_CAPACITY 3")
    port = goes_out(x, udp(HOST, 30))
    assert knock(x, port, 10) == 10
    for number in range(2):
        goes_out(x, udp(HOST, 40 + number))
    x.drops(udp(HOST, 50))
    assert x.read("mapping_failures") == "1"


def test_they_end_no_flow_of_a_host(nat):
    """Those at best effort would otherwise make room, the one whose time is over first."""
    x = nat("MAPPING_CAPACITY 4", "UDP_GUARANTEE 0")
    port = goes_out(x, udp(HOST, 30))
    for number in range(3):
        goes_out(x, udp(OTHER, 40 + number))
    x.router.advance(60)
    assert knock(x, port, 20) == 0
    assert x.read("bindings").count(f" {OTHER} ") == 3


@pytest.mark.parametrize("make, begins", [(udp, {}), (tcp, {"flags": "S"})])
def test_they_make_room_for_any_flow_of_a_host(nat, make, begins):
    """Though they were seen last, and though it were within the time of a guarantee."""
    x = nat("MAPPING_CAPACITY 8")
    port = goes_out(x, make(HOST, 30, **begins))
    assert knock(x, port, 7, make=make, **begins) == 7
    assert x.read("size") == "8"
    for number in range(7):
        goes_out(x, make(OTHER, 40 + number, **begins))
    assert x.read("bindings").split()[-1] == "1" and x.read("size") == "8"
    x.drops(make(OTHER, 60, **begins))


def test_without_a_free_place_the_next_takes_that_of_the_first(nat):
    """So that whoever comes is heard, however many have come before."""
    x = nat("MAPPING_CAPACITY 4")
    port = goes_out(x, udp(HOST, 30))
    assert knock(x, port, 6) == 6
    assert x.read("size") == "4"
    for other, known in ((1005, True), (1000, False)):
        assert (f"({STRANGER}, {other}, {OUT}, {port})" in x.read("udp_table")) is known


@pytest.mark.parametrize("make, begins", [(udp, {}), (tcp, {"flags": "S"})])
def test_an_answered_flow_is_the_hosts(nat, make, begins):
    """It has a guarantee, is part of the host's share, and lives on by packets from both sides."""
    x = nat("HOST_CAPACITY 2", "MAPPING_CAPACITY 2")
    port = goes_out(x, make(HOST, 30, PEER, 53, **begins))
    assert knock(x, port, make=make, **begins) == 1
    x.gives(make(HOST, 30, STRANGER, 1000), make(OUT, port, STRANGER, 1000))
    x.drops(make(OTHER, 40, **begins))
    x.router.advance(100)
    assert knock(x, port, make=make) == 1
    assert "exp300" in "".join(line for line in x.read("udp_table" if make is udp else "tcp_table").splitlines() if STRANGER in line)


def test_a_host_with_its_share_answers_nobody_else(nat):
    x = nat("HOST_CAPACITY 2")
    port = goes_out(x, udp(HOST, 30))
    assert knock(x, port, 2) == 2
    x.gives(udp(HOST, 30, STRANGER, 1001))
    x.drops(udp(HOST, 30, STRANGER, 1000))
    assert (x.read("mapping_failures"), x.dropped("FULL")) == ("1", 1)


def test_a_refused_connection_is_none_of_the_hosts(nat):
    """A host resets what isn't for it, so that anybody could otherwise use up its share (RFC 6146, 3.5.2.2: only a SYN goes on)."""
    x = nat("HOST_CAPACITY 2", "MAPPING_CAPACITY 8")
    port = goes_out(x, tcp(HOST, 30, flags="S"))
    assert knock(x, port, 4, make=tcp, flags="S") == 4
    for other in range(1000, 1004):
        x.gives(tcp(HOST, 30, STRANGER, other, flags="RA"), tcp(OUT, port, STRANGER, other, flags="RA"))
    assert x.read("tcp_table").count("exp6\n") == 8
    goes_out(x, tcp(HOST, 40, flags="S"))
    assert x.read("mapping_failures") == "0"


@pytest.mark.parametrize("filter_, source", [("any", STRANGER), ("address", PEER)])
def test_they_dont_keep_an_endpoint_alive(nat, filter_, source):
    """RFC 4787, 4.3: else anybody can keep a host's ports for ever. After the host's own flow nobody is admitted any more."""
    x = nat("UDP_TIMEOUT 10", "REAP_INTERVAL 1", filter_=filter_)
    port = goes_out(x, udp(HOST, 30))
    x.router.advance(7)
    assert knock(x, port, source=source) == 1
    for second in range(7):
        x.router.advance(1)
        assert knock(x, port, source=source) == 1
        assert knock(x, port, source=source, first=2000 + second) == (second < 2)
    x.router.advance(10)
    assert x.read("bindings") == ""


def test_a_connection_waits_six_seconds_for_its_answer(nat):
    """RFC 6146, 3.5.2.2 and 4: TCP_INCOMING_SYN."""
    x = nat("REAP_INTERVAL 1")
    port = goes_out(x, tcp(HOST, 30, flags="S"))
    assert knock(x, port, 2, make=tcp, flags="S") == 2
    assert x.read("tcp_table").count("exp6\n") == 4
    x.gives(tcp(HOST, 30, STRANGER, 1001, flags="SA"))
    x.router.advance(8)
    assert x.read("table_size") == "2" and f"({STRANGER}, 1001," in x.read("tcp_table")


def test_they_take_no_flow_of_the_same_host_over(nat):
    """What the host sends to that peer leaves by another address: it goes on to do so."""
    other = "pattern 2.0.0.2 1024-65535 - - 0 1"
    x = nat(inputs=3, specs=(PATTERN, "drop", other))
    port = goes_out(x, udp(HOST, 30, PEER, 53))
    sent = x.gives(udp(HOST, 30, STRANGER, 1000), input=2)
    assert knock(x, port) == 0
    for number in range(20):
        assert knock(x, port, first=3000 + number) == 1
        x.send(udp(HOST, 30, STRANGER, 1000), 2)
        assert x.expect(0).data == sent.data


def test_another_router_knows_which_are_unanswered():
    router = runtime(OPEN)
    router.inject("a", frame(udp(HOST, 3000, PEER, 53)))
    router.inject("b", frame(udp(STRANGER, 99, OUT, 3000)))
    router = runtime(OPEN.replace("HOST_CAPACITY 500", "HOST_CAPACITY 2"), router)
    for number in range(2):
        router.inject("a", frame(udp(HOST, 4000 + number, PEER, 53)))
    assert len(router.handlers.read("x", "bindings").splitlines()) == 2
    router.close()


def test_a_smaller_router_takes_the_hosts_flows_first():
    router = runtime(OPEN)
    router.inject("a", frame(udp(HOST, 3000, PEER, 53)))
    for number in range(8):
        router.inject("b", frame(udp(STRANGER, 90 + number, OUT, 3000)))
    router.inject("a", frame(udp(HOST, 4000, PEER, 53)))
    router = runtime(OPEN.replace("HOST_CAPACITY 500", "MAPPING_CAPACITY 2"), router)
    assert router.handlers.read("x", "size") == "2"
    assert len(router.handlers.read("x", "bindings").splitlines()) == 2
    router.close()


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("hook", axis("xdp", "tc"))
def test_the_kernel_leaves_the_answer_to_the_runtime(hook):
    knocks, answers = frame(udp(STRANGER, 99, OUT, 3000)), frame(udp(HOST, 3000, STRANGER, 99))
    with start(OPEN, "bpf" if hook == "xdp" else hook, simtime=True) as router:
        router.send("a", frame(udp(HOST, 3000, PEER, 53)))
        assert router.run("b", knocks)[0] == HANDED
        router.send("b", knocks)
        assert router.run("b", knocks)[0] == SENT
        assert router.run("a", answers)[0] == HANDED
        router.send("a", answers)
        assert router.run("a", answers)[0] == SENT


def test_executors_agree():
    assert_equivalent(OPEN.replace("HOST_CAPACITY 500", "HOST_CAPACITY 4, MAPPING_CAPACITY 64"), 2000)
