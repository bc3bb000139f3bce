"""ARPQuerier: RFC 826 for the requests, RFC 1112 for multicast, Click's documentation for handlers."""

import pytest
from scapy.layers.l2 import ARP, Dot1Q, Ether
from tests.elements.ethernet.querying import BROADCAST, MY_MAC, NATIVE, arrives, packet, query, reply, sent, table

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.executors.bpf import HANDED, SENT
from clickbpf.testing.punt import assert_punts_unchanged
from clickbpf.testing.reach import FULL, Reach

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
    """They share a slot of the cache; the high half of 0.0.x.y is 0, as in an empty slot."""
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
    # The packet that asks again opens the way for those after it, until the next time to ask.
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


def test_one_name_for_both_addresses(router):
    r = router(
        """
        AddressInfo(me 10.0.0.1/24 02:00:00:00:00:01);
        q :: ARPQuerier(me); FromDevice(ip) -> Strip(14) -> GetIPAddress(16) -> q -> Queue -> ToDevice(out);
        FromDevice(arp) -> [1]q;
        """,
        simtime=True,
    )
    r.forwards("ip", arrives("10.0.0.2"), "out", query("10.0.0.2"))


PUNTS = [
    Reach(f"ARPQuerier(10.0.0.1, {MY_MAC})", 2, 2, before=f"SetIPAddress(10.0.0.2) -> {FULL}", writes=[("insert", "10.0.0.2 2:0:0:0:0:2")])
]

MISTAKES = {
    "i :: Idle; q :: ARPQuerier(10.0.0.1, 1:2:3:4:5:6, CAPACITY_SLIM_FACTOR 0); i -> q -> d :: Discard; i[1] -> [1]q;": "cannot be zero",
}
