"""ARPQuerier: RFC 826 for the requests, RFC 1112 for multicast, Click's documentation for times, limits and handlers."""

from __future__ import annotations

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import ARP, Dot1Q, Ether

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.executors.bpf import HANDED, SENT
from clickbpf.testing.punt import assert_punts_unchanged
from clickbpf.testing.reach import FULL, Reach

MY_IP, MY_MAC = "10.0.0.1", "02:00:00:00:00:01"
BROADCAST = "ff:ff:ff:ff:ff:ff"
#: What no executor can do otherwise: it happens behind the handover.
NATIVE = pytest.mark.executors("native")


def configuration(arguments: str = "", ip: str = "10.0.0.1/24", noutputs: int = 2) -> str:
    """IP packets arrive on `ip`, ARP on `arp`; what ARPQuerier sends leaves by `out`, its requests by `asks`."""
    queries = "q[1] -> Queue -> ToDevice(asks);" if noutputs == 2 else ""
    return f"""
        q :: ARPQuerier({ip}, {MY_MAC}{arguments and ", "}{arguments});
        FromDevice(ip) -> Strip(14) -> MarkIPHeader -> GetIPAddress(16) -> [0]q;
        FromDevice(arp) -> [1]q;
        q -> Queue -> ToDevice(out); {queries}
    """


def packet(to: str, ident: int = 1) -> IP:
    return IP(src="192.0.2.7", dst=to, id=ident, ttl=9) / UDP(sport=1, dport=2)


def arrives(to: str, ident: int = 1) -> Ether:
    return Ether(src="02:00:00:00:00:99", dst=MY_MAC) / packet(to, ident)


def sent(mac: str, to: str, ident: int = 1) -> Ether:
    return Ether(src=MY_MAC, dst=mac, type=0x0800) / packet(to, ident)


def query(about: str, to: str = BROADCAST, mine: str = MY_IP) -> Ether:
    """RFC 826: the sender's addresses, the target's IP address, and zeros for what is asked."""
    arp = ARP(op=1, hwsrc=MY_MAC, psrc=mine, hwdst="00:00:00:00:00:00", pdst=about)
    return Ether(src=MY_MAC, dst=to) / arp


def reply(ip: str, mac: str) -> Ether:
    return Ether(src=mac, dst=MY_MAC) / ARP(op=2, hwsrc=mac, psrc=ip, hwdst=MY_MAC, pdst=MY_IP)


@pytest.fixture
def querier(router):
    return lambda *arguments, **named: router(configuration(*arguments, **named), simtime=True)


def table(router) -> list[list[str]]:
    """IP, known, Ethernet address of each line; and the age, which stands last, apart."""
    return [line.split() for line in router.read("q.table").splitlines()]


# -- finding addresses -----------------------------------------------------------------------------------------------------


def test_a_packet_waits_for_the_reply_to_a_request(querier):
    r = querier()
    r.send("ip", [arrives("10.0.0.2", 1), arrives("10.0.0.2", 2)])
    r.expect("asks", query("10.0.0.2"))
    r.expect_nothing()
    assert r.read("q.length") == "2"
    assert table(r) == [["10.0.0.2", "0", "FF-FF-FF-FF-FF-FF", "0.000000"]]

    r.send("arp", reply("10.0.0.2", "02:00:00:00:00:02"))
    r.expect("out", sent("02:00:00:00:00:02", "10.0.0.2", 1))
    r.expect("out", sent("02:00:00:00:00:02", "10.0.0.2", 2))
    r.send("ip", arrives("10.0.0.2", 3))
    r.expect("out", sent("02:00:00:00:00:02", "10.0.0.2", 3))
    r.expect_nothing()
    assert table(r) == [["10.0.0.2", "1", "02-00-00-00-00-02", "0.000000"]]
    assert [r.read(f"q.{name}") for name in ("queries", "responses", "count", "length", "drops")] == ["1", "1", "1", "0", "0"]


def test_the_header_that_it_has_made_is_the_mac_header(router):
    """EtherRewrite finds it, though the packet begins elsewhere by then, and had another one, four bytes before, when it came."""
    r = router(
        f"FromDevice(ip) -> Strip(18) -> MarkIPHeader -> GetIPAddress(16) -> [0] q :: ARPQuerier(10.0.0.1/24, {MY_MAC});"
        "FromDevice(arp) -> [1] q; q[1] -> Discard;"
        "q -> Strip(14) -> EtherRewrite(02:00:00:00:00:aa, 02:00:00:00:00:bb) -> Unstrip(14) -> Queue -> ToDevice(out);"
    )
    r.write("q.insert", "10.0.0.5 02:00:00:00:00:05")
    r.send("ip", Ether(dst=MY_MAC) / Dot1Q(vlan=7) / packet("10.0.0.5"))
    r.expect("out", Ether(src="02:00:00:00:00:aa", dst="02:00:00:00:00:bb", type=0x0800) / packet("10.0.0.5"))


def test_requests_leave_by_output_0_if_there_is_no_other(querier):
    r = querier(noutputs=1)
    r.send("ip", arrives("10.0.0.2"))
    r.expect("out", query("10.0.0.2"))


@NATIVE
@pytest.mark.parametrize(
    "wrong",
    [
        {"op": 1},
        {"hwtype": 6},
        {"ptype": 0x86DD},
        {"hwsrc": "03:00:00:00:00:02"},
    ],
)
def test_what_is_no_reply_teaches_nothing(querier, wrong):
    r = querier()
    answer = reply("10.0.0.2", "02:00:00:00:00:02")
    for field, value in wrong.items():
        setattr(answer[ARP], field, value)
    r.send("arp", answer)
    assert r.read("q.count") == "0"
    assert r.read("q.responses") == "1"


@NATIVE
def test_a_cut_reply_is_dropped(querier):
    r = querier()
    r.send("arp", bytes(reply("10.0.0.2", "02:00:00:00:00:02"))[:41])
    assert (r.read("q.responses"), r.dropped("q", "MALFORMED")) == ("0", 1)


def test_addresses_with_the_same_last_two_bytes(querier):
    """They share a place in the cache; 0.0.x.y has no high half that could be told from nothing."""
    r = querier(ip="10.0.0.1/8")
    hosts = {"10.1.0.2": "02:00:00:00:01:02", "10.2.0.2": "02:00:00:00:02:02", "0.0.0.2": "02:00:00:00:00:22"}
    for ip, mac in hosts.items():
        r.write("q.insert", f"{ip} {mac}")
    for _ in range(2):
        for ip, mac in hosts.items():
            r.send("ip", arrives(ip))
            r.expect("out", sent(mac, ip))
    r.send("ip", arrives("0.0.0.3"))
    r.expect("asks", query("0.0.0.3"))


# -- addresses that need no request ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "ip", "to", "mac"),
    [
        ("", "10.0.0.1/24", "255.255.255.255", BROADCAST),
        ("", "10.0.0.1/24", "10.0.0.255", BROADCAST),
        ("", "10.0.0.1", "255.255.255.255", BROADCAST),
        ("BROADCAST 10.0.0.99", "10.0.0.1/24", "10.0.0.99", BROADCAST),
        ("", "10.0.0.1/24", "224.0.0.5", "01:00:5e:00:00:05"),
        ("", "10.0.0.1/24", "239.255.129.130", "01:00:5e:7f:81:82"),
    ],
)
def test_broadcast_and_multicast(querier, arguments, ip, to, mac):
    r = querier(arguments, ip=ip)
    r.send("ip", [arrives(to, 1), arrives(to, 2)])
    r.expect("out", sent(mac, to, 1))
    r.expect("out", sent(mac, to, 2))
    assert r.read("q.count") == "0"


@NATIVE
def test_without_a_prefix_the_last_address_of_a_network_is_a_host(querier):
    r = querier(ip="10.0.0.1")
    r.send("ip", arrives("10.0.0.255"))
    r.expect("asks", query("10.0.0.255"))


def test_a_neighbour_takes_the_place_of_a_group(querier):
    """224.0.0.5 and 10.0.0.5 end in the same two bytes."""
    r = querier()
    r.send("ip", arrives("224.0.0.5"))
    r.write("q.insert", "10.0.0.5 02:00:00:00:00:05")
    r.send("ip", [arrives("10.0.0.5"), arrives("224.0.0.5")])
    assert r.expect("out")
    r.expect("out", sent("02:00:00:00:00:05", "10.0.0.5"))
    r.expect("out", sent("01:00:5e:00:00:05", "224.0.0.5"))


def test_an_entry_for_a_group_goes_before_the_rule(querier):
    r = querier()
    r.send("ip", arrives("224.0.0.5"))
    r.expect("out", sent("01:00:5e:00:00:05", "224.0.0.5"))
    r.write("q.insert", "224.0.0.5 02:00:00:00:00:05")
    r.send("ip", arrives("224.0.0.5"))
    r.expect("out", sent("02:00:00:00:00:05", "224.0.0.5"))
    r.write("q.delete", "224.0.0.5")
    r.send("ip", arrives("224.0.0.5"))
    r.expect("out", sent("01:00:5e:00:00:05", "224.0.0.5"))


def test_0_0_0_0_is_dropped_and_told_once(querier, capfd):
    r = querier()
    r.send("ip", [arrives("0.0.0.0"), arrives("0.0.0.0")])
    r.expect_nothing()
    assert r.read("q.drops") == "2"
    assert capfd.readouterr().err.count("q :: ARPQuerier: would query for 0.0.0.0") == 1


# -- time ------------------------------------------------------------------------------------------------------------------


@NATIVE
def test_at_most_ten_requests_a_second_then_one_in_two(querier):
    """Click's documentation: at most 10 queries a second for any IP address; its source: then one every 2 s."""
    r = querier()
    for _ in range(500):
        r.send("ip", arrives("10.0.0.2"))
        r.advance(0.01)
    # At 0, 0.1, ..., 0.9 s, and at 2.9 and 4.9.
    assert r.read("q.queries") == "12"


@pytest.mark.parametrize(("arguments", "polled"), [("", "02:02:01:0b:0b:00"), ("BROADCAST_POLL true", BROADCAST)])
def test_a_known_host_is_asked_again(querier, arguments, polled):
    """The times of Click's own test of BROADCAST_POLL: 0.08 s after a reply the next packet asks again."""
    mac = "02:02:01:0b:0b:00"
    r = querier(f"TIMEOUT 0.1s, POLL_TIMEOUT 0.08s, CAPACITY 1, ENTRY_CAPACITY 1 {arguments and ','} {arguments}")
    before = 0.0
    for ident, (at, asked) in enumerate([(0, BROADCAST), (0.05, None), (0.081, polled), (0.15, None), (0.162, polled)]):
        r.advance(at - before)
        before = at
        r.send("ip", arrives("10.0.0.2", ident))
        if asked:
            r.expect("asks", query("10.0.0.2", to=asked))
            r.send("arp", reply("10.0.0.2", mac))
        r.expect("out", sent(mac, "10.0.0.2", ident))
        r.expect_nothing()


def test_polls_without_a_reply(querier):
    r = querier("TIMEOUT 10s, POLL_TIMEOUT 1s")
    r.write("q.insert", "10.0.0.2 02:00:00:00:00:02")
    polls = []
    for tick in range(0, 450):
        r.send("ip", arrives("10.0.0.2"))
        polls += [tick] * (len([o for o in r._waiting if o.device == "asks"]))
        r._waiting.clear()
        r.advance(0.01)
    assert polls == [100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 390]


def test_an_address_expires(querier):
    r = querier("TIMEOUT 2s")
    r.write("q.insert", "10.0.0.2 02:00:00:00:00:02")
    r.advance(1.9)
    r.send("ip", arrives("10.0.0.2"))
    r.expect("out", sent("02:00:00:00:00:02", "10.0.0.2"))
    assert table(r) == [["10.0.0.2", "1", "02-00-00-00-00-02", "1.900000"]]
    r.advance(0.2)
    r.send("ip", arrives("10.0.0.2"))
    r.expect("asks", query("10.0.0.2"))
    r.expect_nothing()


@NATIVE
@pytest.mark.parametrize("arguments", ["TIMEOUT 0, POLL_TIMEOUT 0", "TIMEOUT 5000000s, POLL_TIMEOUT 5000000s"])
def test_timeouts_that_are_never_over(querier, arguments):
    r = querier(arguments)
    r.write("q.insert", "10.0.0.2 02:00:00:00:00:02")
    r.advance(100_000)
    r.send("ip", arrives("10.0.0.2"))
    r.expect("out", sent("02:00:00:00:00:02", "10.0.0.2"))
    r.expect_nothing()


@NATIVE
def test_expired_entries_are_removed_and_what_waited_is_dropped(querier):
    r = querier("TIMEOUT 2s")
    r.send("ip", arrives("10.0.0.2"))
    r.advance(10)
    assert [r.read(f"q.{name}") for name in ("count", "length", "table")] == ["0", "0", ""]
    assert r.read("q.stats") == "1 packets killed\n1 ARP queries sent\n"


# -- limits: the numbers are those of Click's own tests ----------------------------------------------------------------------


@NATIVE
@pytest.mark.parametrize(
    ("arguments", "hosts", "stats"),
    [
        ("ENTRY_PACKET_CAPACITY 10", ("10.0.0.2", "10.0.0.3"), "80 packets killed\n2 ARP queries sent\n"),
        ("CAPACITY 10", ("10.0.0.2", "10.0.0.2"), "90 packets killed\n1 ARP queries sent\n"),
    ],
)
def test_how_many_packets_wait(querier, arguments, hosts, stats):
    r = querier(arguments)
    for ip in hosts:
        r.send("ip", [arrives(ip)] * 50)
    assert r.read("q.stats") == stats


@NATIVE
def test_the_oldest_packets_make_room(querier):
    """With CAPACITY 10 half of them go when the eleventh comes, those of the oldest entries first."""
    r = querier("CAPACITY 10", ip="1.0.0.1/24")
    hosts = [f"2.{n}.0.1" for n in range(14)]
    for ident in (1, 2):
        r.send("ip", [arrives(ip, ident) for ip in hosts])
    assert r.read("q.length") == "10"
    r._waiting.clear()
    r.send("arp", [reply(ip, f"02:00:00:00:00:{n:02x}") for n, ip in enumerate(hosts)])
    left = [(r.expect("out")[IP].dst) for _ in range(10)]
    r.expect_nothing()
    assert left == ["2.8.0.1", "2.9.0.1", *(hosts[n] for n in (10, 10, 11, 11, 12, 12, 13, 13))]


def test_the_oldest_entry_makes_room(querier):
    r = querier("ENTRY_CAPACITY 2")
    for n in (2, 3, 4):
        r.write("q.insert", f"10.0.0.{n} 02:00:00:00:00:0{n}")
        r.advance(0.001)
    assert [line[0] for line in table(r)] == ["10.0.0.3", "10.0.0.4"]
    r.send("ip", arrives("10.0.0.2"))
    r.expect("asks", query("10.0.0.2"))
    assert [line[:2] for line in table(r)] == [["10.0.0.4", "1"], ["10.0.0.2", "0"]]


@NATIVE
def test_one_entry_one_packet(querier):
    """Click's test against corruption."""
    r = querier("TIMEOUT 0.1s, CAPACITY 1, ENTRY_CAPACITY 1")
    before = 0.0
    for at, last in [(0, 2), (0.01, 3), (0.015, 4), (0.12, 2), (0.221, 2)]:
        r.advance(at - before)
        before = at
        r.send("ip", arrives(f"10.0.0.{last}"))
        r.expect("asks", query(f"10.0.0.{last}"))
    assert [r.read(f"q.{name}") for name in ("count", "length", "table")] == ["1", "1", "10.0.0.2 0 FF-FF-FF-FF-FF-FF 0.100000\n"]


# -- handlers --------------------------------------------------------------------------------------------------------------


def test_insert_and_delete(querier):
    r = querier()
    r.write("q.insert", "10.0.0.2 2:0:0:0:0:2")
    r.advance(0.05)
    r.write("q.insert", "10.0.0.3 02-00-00-00-00-03")
    assert table(r) == [
        ["10.0.0.2", "1", "02-00-00-00-00-02", "0.050000"],
        ["10.0.0.3", "1", "02-00-00-00-00-03", "0.000000"],
    ]
    r.send("ip", [arrives("10.0.0.2"), arrives("10.0.0.3")])
    r.expect("out", sent("02:00:00:00:00:02", "10.0.0.2"))
    r.expect("out", sent("02:00:00:00:00:03", "10.0.0.3"))
    r.write("q.insert", "10.0.0.2 2:0:0:0:0:22")
    r.write("q.delete", "10.0.0.3")
    r.send("ip", [arrives("10.0.0.2"), arrives("10.0.0.3")])
    r.expect("out", sent("02:00:00:00:00:22", "10.0.0.2"))
    r.expect("asks", query("10.0.0.3"))
    r.expect_nothing()


def test_clear(querier):
    r = querier()
    r.write("q.insert", "10.0.0.2 2:0:0:0:0:2")
    r.send("ip", [arrives("10.0.0.2"), arrives("10.0.0.3")])
    r.write("q.clear")
    assert [r.read(f"q.{name}") for name in ("table", "queries", "drops", "count", "length")] == ["", "0", "0", "0", "0"]
    # The packet that waited is counted where waiting packets are.
    assert r.read("q.stats") == "1 packets killed\n0 ARP queries sent\n"
    r._waiting.clear()
    r.send("ip", arrives("10.0.0.2"))
    r.expect("asks", query("10.0.0.2"))


def test_ipaddr_and_broadcast(querier):
    r = querier()
    assert (r.read("q.ipaddr"), r.read("q.broadcast")) == ("10.0.0.1", "10.0.0.255")
    r.send("ip", arrives("10.0.0.255"))
    r.expect("out", sent(BROADCAST, "10.0.0.255"))
    r.write("q.ipaddr", "10.0.0.9")
    r.write("q.broadcast", "10.0.0.98")
    r.send("ip", [arrives("10.0.0.98"), arrives("10.0.0.255")])
    r.expect("out", sent(BROADCAST, "10.0.0.98"))
    r.expect("asks", query("10.0.0.255", mine="10.0.0.9"))


def test_without_an_address_of_its_own_it_drops(querier):
    """Whatever the cache knew."""
    r = querier()
    r.write("q.insert", "10.0.0.2 2:0:0:0:0:2")
    r.send("ip", arrives("10.0.0.2"))
    r.expect("out")
    r.write("q.ipaddr", "0.0.0.0")
    r.write("q.insert", "10.0.0.3 2:0:0:0:0:3")
    r.send("ip", [arrives("10.0.0.2"), arrives("10.0.0.3")])
    r.expect_nothing()
    assert r.read("q.drops") == "2"
    r.write("q.ipaddr", "10.0.0.1")
    r.send("ip", arrives("10.0.0.2"))
    r.expect("out", sent("02:00:00:00:00:02", "10.0.0.2"))


@NATIVE
@pytest.mark.parametrize(
    ("handler", "text"),
    [("insert", "10.0.0.2"), ("insert", "x 1:2:3:4:5:6"), ("insert", "10.0.0.2 x"), ("delete", ""), ("ipaddr", "1"), ("broadcast", "x")],
)
def test_handlers_refuse(querier, handler, text):
    r = querier()
    with pytest.raises(Exception, match=r"IP|Ethernet"):
        r.write(f"q.{handler}", text)


# -- the kernel path -------------------------------------------------------------------------------------------------------


@pytest.mark.executors("bpf")
def test_the_kernel_path_does_it_by_itself_while_nothing_is_due(querier):
    r = querier("TIMEOUT 100s, POLL_TIMEOUT 10s")
    frame = bytes(arrives("10.0.0.2"))

    def verdict() -> int:
        return r.executor.run("ip", frame)[0]

    assert verdict() == HANDED
    r.write("q.insert", "10.0.0.2 02:00:00:00:00:02")
    assert verdict() == SENT
    r.advance(9.9)
    assert verdict() == SENT
    r.advance(0.1)
    assert verdict() == HANDED
    # The packet that asks again opens the way for those behind it, until the next time to ask.
    r.send("ip", frame)
    assert verdict() == SENT
    r.advance(0.1)
    assert verdict() == HANDED
    r.write("q.delete", "10.0.0.2")
    assert verdict() == HANDED


NEIGHBOURS = tuple(("x.insert", f"10.0.0.{n} 02:00:00:00:00:{n:02x}") for n in range(1, 255, 2))


def mixture(count: int) -> list[tuple[str, bytes, float]]:
    """Packets to known, unknown and special addresses, and replies among them; in half an hour, after which none is known."""
    arrivals = []
    for n in range(count):
        to = f"10.0.0.{n % 256}" if n % 11 else ("224.1.2.3", "255.255.255.255", "0.0.0.0", "10.1.0.7")[n % 4]
        arrivals.append(("in0", bytes(arrives(to, n)), 3 if n % 2 else 0))
        if n % 5 == 0:
            arrivals.append(("in1", bytes(reply(f"10.0.0.{n % 199}", "02:00:00:00:01:01"))[: 41 if n % 50 == 0 else 60], 0))
    return arrivals


@pytest.mark.needs("root")
@pytest.mark.parametrize("outputs", [1, 2])
def test_both_executors_agree(outputs):
    sinks = "".join(f"x[{i}] -> Queue -> ToDevice(out{i});" for i in range(outputs))
    text = f"""
        x :: ARPQuerier(10.0.0.1/24, {MY_MAC}, CAPACITY 20);
        FromDevice(in0) -> Strip(14) -> GetIPAddress(16) -> [0]x; FromDevice(in1) -> [1]x; {sinks}
    """
    assert_equivalent(text, mixture(1200), writes=NEIGHBOURS)
    assert_equivalent(text, 1000)


@pytest.mark.needs("root")
def test_punt_comes_before_any_change():
    arguments = f"ARPQuerier(10.0.0.1/24, {MY_MAC})"
    assert assert_punts_unchanged(arguments, ninputs=2, noutputs=2, headers="ip", packets=200).count


# -- arguments -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("", "required argument IP is missing"),
        ("10.0.0.1", "required argument ETH is missing"),
        ("x, 1:2:3:4:5:6", "IP: 'x' is not"),
        ("10.0.0.1, 7", "ETH: '7' is not"),
        ("10.0.0.1, 1:2:3:4:5:6, CAPACITY_SLIM_FACTOR 0", "CAPACITY_SLIM_FACTOR cannot be zero"),
        ("10.0.0.1, 1:2:3:4:5:6, TABLE t", "no element named 't'"),
        ("10.0.0.1, 1:2:3:4:5:6, TABLE d", "'d' is a Discard"),
        ("10.0.0.1, 1:2:3:4:5:6, TIMEOUT x", "TIMEOUT: 'x' is not"),
        ("10.0.0.1, 1:2:3:4:5:6, ENTRY_CAPACITY 99999999", "ENTRY_CAPACITY: out of range"),
    ],
)
def test_bad_arguments(refused_router, arguments, said):
    assert said in refused_router(f"i :: Idle; q :: ARPQuerier({arguments}); i -> q -> d :: Discard; i[1] -> [1]q;")


def test_one_name_for_both_addresses(router):
    r = router(
        """
        AddressInfo(me 10.0.0.1/24 02:00:00:00:00:01);
        q :: ARPQuerier(me); FromDevice(ip) -> Strip(14) -> GetIPAddress(16) -> q -> Queue -> ToDevice(out);
        FromDevice(arp) -> [1]q;
        """,
        simtime=True,
    )
    r.send("ip", arrives("10.0.0.2"))
    r.expect("out", query("10.0.0.2"))


#: What the kernel path gives up, beside what the manual page's example does.
PUNTS = [
    Reach(f"ARPQuerier(10.0.0.1, {MY_MAC})", 2, 2, before=f"SetIPAddress(10.0.0.2) -> {FULL}", writes=[("insert", "10.0.0.2 2:0:0:0:0:2")])
]
