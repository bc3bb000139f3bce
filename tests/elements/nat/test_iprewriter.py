"""IPRewriter: flows, patterns, time-outs, capacity and handlers, by Click's documentation of it."""

import errno
from ipaddress import IPv4Address

import pytest
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import Ether
from tests.elements.nat.packets import PEER, left, tcp, udp
from tests.elements.trials import Trial

from clickbpf.testing.executors.bpf import HANDED, SENT

#: What needs the runtime's clock to stand still.
SIMULATED = pytest.mark.executors("native")
HOUR = 3600


def nat(*specs: str, before: str = "", **options) -> Trial:
    """nat("drop", ...) is an IPRewriter with an input for each specification, two outputs and IP packets."""
    number = sum(not spec.split()[0].isupper() for spec in specs)
    return Trial(f"IPRewriter({', '.join(specs)})", number, 2, headers="ip-checked", before=before, **options)


def test_a_pattern_changes_a_flow_and_its_replies(started):
    x = started(nat("pattern 1.0.0.1 1024-65535# - - 0 1", "drop"))
    seen = x.gives(tcp("10.0.0.9", 30, flags="S"), tcp("1.0.0.1", 1024, flags="S"))
    assert IPv4Address(seen.carried["DST_IP"]) == IPv4Address(PEER)
    x.gives(tcp("10.0.0.9", 20, PEER, 8080), tcp("1.0.0.1", 1025, PEER, 8080))
    for input in (0, 1):
        seen = x.gives(tcp(PEER, 80, "1.0.0.1", 1024), tcp(PEER, 80, "10.0.0.9", 30), output=1, input=input)
        assert IPv4Address(seen.carried["DST_IP"]) == IPv4Address("10.0.0.9")
    x.drops(tcp(PEER, 80, "1.0.0.1", 1026), input=1)
    assert x.dropped("FILTERED") == 1
    assert x.read("tcp_table").splitlines()[:2] == [
        "(10.0.0.9, 30, 8.8.8.8, 80) => (1.0.0.1, 1024, 8.8.8.8, 80) [*0 1] i0 exp300",
        "(8.8.8.8, 80, 1.0.0.1, 1024) => (8.8.8.8, 80, 10.0.0.9, 30) [0 *1] i0 exp300",
    ]
    assert [x.read(h) for h in ("table_size", "size", "capacity", "udp_table", "mapping_failures")] == ["2", "2", "65536", "", "0"]
    assert x.read("patterns") == "1.0.0.1 1024-65535 - - [2]\n<drop>\n"
    assert x.read("pattern1") == "<drop>\n"
    assert {"pattern0\trw", "pattern1\trw", "tcp_lookup\tr+", "capacity\trw"} <= set(x.read("handlers").splitlines())


def test_tcp_and_udp_are_apart(started):
    x = started(nat("pattern 1.0.0.1 1024-65535# - - 0 1"))
    x.send(tcp("10.0.0.9", 30, PEER, 80))
    x.send(udp("10.0.0.9", 30, PEER, 80))
    x.expect(0, tcp("1.0.0.1", 1024, PEER, 80))
    x.expect(0, udp("1.0.0.1", 1025, PEER, 80))
    assert (len(x.read("tcp_table").splitlines()), len(x.read("udp_table").splitlines())) == (2, 2)


def test_other_packets_are_for_pass_inputs_only(started):
    x = started(nat("pattern 1.0.0.1 1024-65535# - - 0 1", "pass 1"))
    x.gives(tcp("10.0.0.9", 30))
    others = [IP(src="10.0.0.9", dst=PEER) / ICMP(), IP(src="10.0.0.9", dst=PEER, frag=1, proto=6) / bytes(16)]
    for packet in others:
        x.send(packet, 0)
        x.send(packet, 1)
        x.expect(1, packet)
    x.expect_nothing()
    assert x.dropped("FILTERED") == len(others)


def test_a_port_is_kept_if_it_is_free_and_never_given_twice(started):
    x = started(nat("pattern 1.0.0.1 1024-1027 - - 0 1"))
    ports = []
    for host in range(4):
        x.send(udp(f"10.0.0.{host}", 1026))
        ports.append(x.expect(0).packet[UDP].sport)
    assert ports[0] == 1026
    assert sorted(ports) == [1024, 1025, 1026, 1027]
    x.drops(udp("10.0.0.4", 1026))
    assert x.read("mapping_failures") == "1"
    # Another peer can be told apart.
    x.gives(udp("10.0.0.4", 1026, "9.9.9.9"), udp("1.0.0.1", 1026, "9.9.9.9"))


def test_checksums_are_updated_and_udp_without_one_stays_so(started):
    x = started(nat("pattern 1.0.0.1 1024-65535# - - 0 1"))
    plain = udp("10.0.0.9", 30, chksum=0)
    x.gives(plain, udp("1.0.0.1", 1024, chksum=0))
    # A sum of which the checksum becomes 0 is sent as 0xffff (RFC 768): found by trying all data of two bytes.
    x.gives(udp("10.0.0.9", 31))
    base = IP(bytes(udp("1.0.0.1", 1025, data=b"\0\0")))
    data = base[UDP].chksum.to_bytes(2, "big")
    assert IP(bytes(udp("1.0.0.1", 1025, data=data)))[UDP].chksum == 0xFFFF
    x.gives(udp("10.0.0.9", 31, data=data), udp("1.0.0.1", 1025, data=data))


def test_annotations(started):
    """Replies get what the flow's first packet had; the destination's is left as CheckIPHeader has set it where that is asked for."""
    x = started(nat("pattern 1.0.0.1 1024-65535# 9.9.9.9 - 0 1", "drop", "REPLY_ANNO PAINT", "DST_ANNO false", before="Paint(5)"))
    x.send(udp("10.0.0.9", 30))
    assert IPv4Address(x.expect(0, PAINT=5).carried["DST_IP"]) == IPv4Address(PEER)
    y = started(nat("pattern 1.0.0.1 1024-65535# - - 0 1", "drop", "REPLY_ANNO 17", before="Paint(5, 17)"))
    y.send(udp("10.0.0.9", 30))
    y.send(udp(PEER, 53, "1.0.0.1", 1024), 1)
    y.expect(0, ICMP_PARAMPROB=5)
    y.expect(1, ICMP_PARAMPROB=5)


@SIMULATED
def test_how_long_flows_stay(started):
    x = started(nat("keep 0 1", "drop", "TCP_TIMEOUT 2h", "TCP_NODATA_TIMEOUT 50", "TCP_DONE_TIMEOUT 30", "UDP_TIMEOUT 20"))
    there, back = ("10.0.0.9", 30, PEER, 80), (PEER, 80, "10.0.0.9", 30)
    for number, (packet, seconds) in enumerate(
        [
            (tcp(*there, flags="S"), 50),
            (tcp(*back, flags="SA"), 50),
            (tcp(*there, data=b"x"), 50),
            (tcp(*back, data=b"y"), 2 * HOUR),
            (tcp(*there, flags="FA"), 2 * HOUR),
            (tcp(*back, data=b"more"), 2 * HOUR),
            (tcp(*back, flags="FA"), 30),
            (tcp(*there), 30),
            (tcp(*there, flags="S"), 2 * HOUR),
            (tcp(*back, flags="R"), 30),
        ]
    ):
        x.send(packet)
        assert left(x.read("tcp_table")) == [seconds], f"after packet {number}"
    x.router.advance(10)
    assert left(x.read("tcp_table")) == [20]


@SIMULATED
def test_a_udp_flow_streams_after_three_packets_with_a_reply(started):
    x = started(nat("keep 0 1", "drop", "UDP_TIMEOUT 20", "UDP_STREAMING_TIMEOUT 40"))
    for packet, seconds in (
        (udp("10.0.0.9", 30), 20),
        (udp("10.0.0.9", 30), 20),
        (udp("10.0.0.9", 30), 20),
        (udp(PEER, 53, "10.0.0.9", 30), 40),
        (udp("10.0.0.9", 30), 40),
    ):
        x.send(packet)
        assert left(x.read("udp_table")) == [seconds]


@SIMULATED
def test_flows_are_reaped_when_their_time_is_over(started):
    x = started(nat("keep 0 1", "drop", "UDP_TIMEOUT 20", "TCP_NODATA_TIMEOUT 200", "REAP_INTERVAL 60"))
    x.send(udp("10.0.0.9", 30))
    x.send(tcp("10.0.0.9", 30))
    x.router.advance(59)
    assert x.read("size") == "2"
    x.router.advance(2)
    assert (x.read("udp_table"), x.read("size"), x.read("table_size")) == ("", "1", "1")


@SIMULATED
def test_a_full_table_lets_flows_go_but_those_with_a_guarantee(started):
    """The first is over first but talks on; the second has the least time left when the third and fourth come."""
    x = started(nat("keep 0 1", "drop", "MAPPING_CAPACITY 2", "UDP_TIMEOUT 20", "UDP_GUARANTEE 5"))
    x.send(udp("10.0.0.1", 1))
    x.router.advance(1)
    x.send(udp("10.0.0.2", 2))
    x.router.advance(1)
    x.send(udp("10.0.0.3", 3))
    assert (x.read("size"), x.read("mapping_failures"), x.dropped("FULL")) == ("2", "1", 1)
    x.send(udp("10.0.0.1", 1))
    x.router.advance(4.5)
    x.send(udp("10.0.0.3", 3))
    assert "10.0.0.2" not in x.read("udp_table")
    assert "10.0.0.1" in x.read("udp_table")
    assert (x.read("size"), x.read("mapping_failures")) == ("2", "1")


def test_capacity_is_shared_and_can_be_changed(router):
    r = router("""
        a :: IPRewriter(keep 0 0, MAPPING_CAPACITY b); b :: UDPRewriter(keep 0 0, CAPACITY 3);
        FromDevice(in0) -> Strip(14) -> CheckIPHeader -> a -> Queue -> ToDevice(out0);
        FromDevice(in1) -> Strip(14) -> CheckIPHeader -> b -> Queue -> ToDevice(out1);
    """)
    for number in range(4):
        r.send(f"in{number % 2}", Ether() / udp("10.0.0.9", 30 + number))
    assert [r.read(f"{e}.{h}") for e in "ab" for h in ("capacity", "size", "table_size")] == ["3", "3", "2", "3", "3", "1"]
    r.write("b.capacity", "1")
    assert [r.read(f"{e}.size") for e in "ab"] == ["1", "1"]
    r.write("a.clear")
    assert r.read("b.size") == "0"


def test_a_flow_can_be_looked_up(router):
    r = router("""
        x :: IPRewriter(pattern 1.0.0.1 1024-65535# - - 0 0);
        FromDevice(in0) -> Strip(14) -> CheckIPHeader -> x -> Queue -> ToDevice(out0);
    """)
    r.send("in0", Ether() / tcp("10.0.0.9", 30))
    handlers = r.executor.runtime.handlers
    assert handlers.read("x", "tcp_lookup", "10.0.0.9 30 8.8.8.8 80") == "1.0.0.1 1024 8.8.8.8 80"
    assert handlers.read("x", "tcp_lookup", "8.8.8.8 80 1.0.0.1 1024") == "8.8.8.8 80 10.0.0.9 30"
    assert handlers.read("x", "tcp_lookup", "10.0.0.9 31 8.8.8.8 80") == ""
    # Click's LLRPC number 8 does the same to addresses and ports as they are in packets; 9 is for UDP.
    flow, rewritten = bytes.fromhex("0a000009 08080808 001e 0050"), bytes.fromhex("01000001 08080808 0400 0050")
    assert handlers.llrpc("x", 8, flow) == rewritten
    with pytest.raises(OSError) as refused:
        handlers.llrpc("x", 9, flow)
    assert refused.value.errno == errno.EAGAIN


def test_a_flow_that_is_its_own_reverse(started):
    """Its packets are those of the reply, from the second on; Click does the same."""
    x = started(nat("pattern 2.0.0.1 1024-65535# - - 0 1", "drop"))
    own = tcp("2.0.0.1", 1024, "2.0.0.1", 1024)
    x.passes(own)
    x.passes(own, output=1)
    assert len(x.read("tcp_table").splitlines()) == 1


@pytest.mark.needs("root")
@pytest.mark.executors("bpf")
def test_the_kernel_path_rewrites_what_is_known(router):
    """A flow's first packet and news of it – data for the first time, its end – are the runtime's."""
    r = router("""
        x :: IPRewriter(pattern 1.0.0.1 1024-65535# - - 0 1, drop);
        FromDevice(in0) -> Strip(14) -> CheckIPHeader -> [0] x;
        FromDevice(in1) -> Strip(14) -> CheckIPHeader -> [1] x;
        x[0] -> Unstrip(14) -> Queue -> ToDevice(out0);
        x[1] -> Unstrip(14) -> Queue -> ToDevice(out1);
    """)
    there, back = ("10.0.0.9", 30, PEER, 80), (PEER, 80, "1.0.0.1", 1024)
    for number, (device, packet, verdict) in enumerate(
        [
            ("in0", tcp(*there, flags="S"), HANDED),
            ("in1", tcp(*back, flags="SA"), SENT),
            ("in0", tcp(*there), SENT),
            ("in0", tcp(*there, data=b"x"), HANDED),
            ("in0", tcp(*there, data=b"xx"), SENT),
            ("in1", tcp(*back, data=b"y"), HANDED),
            ("in1", tcp(*back, data=bytes(1000)), SENT),
            ("in0", tcp(*there, flags="FA"), HANDED),
            ("in1", tcp(*back, data=b"z"), SENT),
        ]
    ):
        assert r.executor.run(device, bytes(Ether() / packet))[0] == verdict, f"packet {number}"
        r.send(device, Ether() / packet)


_FRAME = bytes(Ether() / udp("10.0.0.9", 0, chksum=0))


def frame_from(port: int) -> bytes:
    """A frame without a UDP checksum, which any port fits: hundreds are made in less time than by scapy."""
    return _FRAME[:34] + port.to_bytes(2, "big") + _FRAME[36:]


@pytest.mark.executors("native")
def test_a_packet_looks_at_no_more_than_256_ports(router):
    """Of 600 ports the lower half is in use. The search, in order, comes to the others with the second packet."""
    r = router(
        "x :: IPRewriter(pattern 1.0.0.1 1024-1623# - - 0 1, drop, REAP_INTERVAL 1, UDP_TIMEOUT 300);"
        "FromDevice(in) -> Strip(14) -> CheckIPHeader -> [0] x -> Unstrip(14) -> Queue -> ToDevice(out);"
        "Idle -> [1] x [1] -> Discard;",
        simtime=True,
    )

    def send(port: int) -> None:
        r.send("in", frame_from(port))

    for port in range(600):
        send(port)
    r.advance(200)
    for port in range(300):
        send(port)
    r.advance(150)
    assert r.read("x.table_size") == "300"
    assert [int(r.expect("out").sport) for _ in range(900)] == [1024 + n for n in (*range(600), *range(300))]
    send(5000)
    r.expect_nothing()
    assert (r.dropped("x", "FULL"), r.read("x.mapping_failures")) == (1, "1")
    send(5000)
    assert r.expect("out").sport == 1324


@pytest.mark.executors("native")
def test_the_timer_ends_a_thousand_flows_by_and_by(router):
    r = router(
        "x :: IPRewriter(keep 0 1, drop, REAP_INTERVAL 400, UDP_TIMEOUT 300);"
        "FromDevice(in) -> Strip(14) -> CheckIPHeader -> [0] x -> Discard; Idle -> [1] x [1] -> Discard;",
        simtime=True,
    )
    for port in range(1000):
        r.send("in", frame_from(port))
    r.advance(400)
    assert 0 < int(r.read("x.table_size")) < 1000
    r.advance(0.01)
    assert r.read("x.table_size") == "0"


def test_only_replies_get_the_annotation_of_the_first_packet(router):
    r = router("""
        x :: IPRewriter(keep 0 1, drop, REPLY_ANNO PAINT); Idle -> [1] x; x[1] -> Discard;
        FromDevice(three) -> Paint(3) -> in :: Strip(14) -> CheckIPHeader -> [0] x;
        FromDevice(five) -> Paint(5) -> in;
        x[0] -> painted :: CheckPaint(5) -> Queue -> ToDevice(fives); painted[1] -> Queue -> ToDevice(others);
    """)
    packet = udp("10.0.0.1", 1000)
    for device, leaves in (("three", "others"), ("five", "fives"), ("three", "others")):
        r.forwards(device, Ether() / packet, leaves, packet)


TRIALS = {
    "keep pass and destination patterns": nat("keep 1 0", "pass 1", "pattern - - 10.1.1.1 8080 0 1")
        .passes(udp("10.0.0.9", 30), output=1).passes(udp(PEER, 53, "10.0.0.9", 30), input=1)
        .passes(udp("10.0.0.5", 30), output=1, input=1).reads(table_size="1")
        .gives(tcp("10.0.0.9", 30, "2.2.2.2", 80), tcp("10.0.0.9", 30, "10.1.1.1", 8080), input=2)
        .gives(tcp("10.1.1.1", 8080, "10.0.0.9", 30), tcp("2.2.2.2", 80, "10.0.0.9", 30), output=1)
        .reads(patterns="<keep> [1]\n<nochange>\n- - 10.1.1.1 8080 [1]\n"),
    "patterns can be written which ends their flows": nat("pattern 1.0.0.2 1024-65534# - - 0 1", "pattern 1.0.0.3 1024-65534# - - 0 1")
        .gives(tcp(f"10.0.0.{0}", 30)).gives(tcp(f"10.0.0.{1}", 30), input=1).write("pattern0", "pattern 1.0.0.4 1024-65534# - - 0 1")
        .reads(patterns="1.0.0.4 1024-65534 - -\n1.0.0.3 1024-65534 - - [1]\n")
        .gives(tcp(PEER, 80, "1.0.0.3", 1024), tcp(PEER, 80, "10.0.0.1", 30), output=1).gives(tcp("10.0.0.0", 30), tcp("1.0.0.4", 1024))
        .reads(table_size="2"),
}

MISTAKES = {
    ("IPRewriter(pattern 1.0.0.1 1x - - 0 1)", 2): ["IPRewriter: input spec 0: bad source port"],
    ("IPRewriter(pattern 1.0.0.1 456-19 - - 0 1)", 2): ["IPRewriter: input spec 0: bad source port"],
    ("IPRewriter(pattern 1.0.0.1 456-65536 - - 0 1)", 2): ["IPRewriter: input spec 0: bad source port"],
    ("IPRewriter(pattern 1.0.0.x - 0 1)", 2): ["IPRewriter: input spec 0: bad source address"],
    ("IPRewriter(pattern - - 1.0.0.x - 0 1)", 2): ["IPRewriter: input spec 0: bad destination address"],
    ("IPRewriter(pattern - - - 0 0 1)", 2): ["IPRewriter: input spec 0: bad destination port"],
    ("IPRewriter(pattern none 0 1)", 2): ["IPRewriter: input spec 0: no such pattern 'none'"],
    ("IPRewriter(pattern - - 0 x)", 2): ["IPRewriter: input spec 0: bad reply port"],
    ("IPRewriter(keep 0 2)", 2): ["IPRewriter: input spec 0: output port out of range"],
    ("IPRewriter(pass 2)", 2): ["IPRewriter: input spec 0: output port out of range"],
    ("IPRewriter(drop 1)", 2): ["IPRewriter: input spec 0: syntax error, expected 'drop'"],
    ("IPRewriter(turn)", 2): ["IPRewriter: input spec 0: unknown specification"],
    ("IPRewriter(x)", 2): ["IPRewriter: input spec 0: element is not an IPMapper"],
    ("IPRewriter(drop, drop)", 2): ["IPRewriter: input 1 is not connected: each of the 2 arguments has an input port"],
    ("IPRewriter(drop, MAPPING_CAPACITY many)", 2): ["IPRewriter: bad MAPPING_CAPACITY"],
}
