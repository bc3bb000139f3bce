"""ARPTable: what one querier learns all know, each asks in its own name."""

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import ARP, Ether

PACKET = Ether() / IP(src="192.0.2.7", dst="10.0.0.2") / UDP(sport=1, dport=2)

CONFIGURATION = """
    a :: ARPQuerier(10.0.0.1/24, 02:00:00:00:00:01, TABLE t);
    b :: ARPQuerier(10.0.0.1/24, 02:00:00:00:00:0b, TABLE t, POLL_TIMEOUT 1s);
    t :: ARPTable(%s);
    FromDevice(ip_a) -> Strip(14) -> GetIPAddress(16) -> [0]a; FromDevice(arp_a) -> [1]a;
    FromDevice(ip_b) -> Strip(14) -> GetIPAddress(16) -> [0]b; Idle -> [1]b;
    a[0] -> Queue -> ToDevice(out_a); a[1] -> Queue -> ToDevice(asks_a);
    b[0] -> Queue -> ToDevice(out_b); b[1] -> Queue -> ToDevice(asks_b);
"""


@pytest.fixture
def shared(router):
    return lambda arguments="": router(CONFIGURATION % arguments, simtime=True)


def arrived(src: str, dst: str) -> Ether:
    return Ether(src=src, dst=dst, type=0x0800) / PACKET[IP]


def test_queriers_share_what_they_learn(shared):
    r = shared()
    r.send("ip_a", PACKET)
    assert r.expect("asks_a")[ARP].hwsrc == "02:00:00:00:00:01"
    assert (r.read("t.length"), r.read("a.length"), r.read("b.count")) == ("1", "1", "1")
    r.send("arp_a", Ether() / ARP(op=2, hwsrc="02:00:00:00:00:02", psrc="10.0.0.2"))
    r.expect("out_a", arrived("02:00:00:00:00:01", "02:00:00:00:00:02"))
    r.send("ip_b", PACKET)
    r.expect("out_b", arrived("02:00:00:00:00:0b", "02:00:00:00:00:02"))
    r.expect_nothing()
    assert r.read("b.table") == r.read("t.table") == "10.0.0.2 1 02-00-00-00-00-02 0.000000\n"


def test_a_change_reaches_every_cache(shared):
    r = shared()
    r.write("t.insert", "10.0.0.2 2:0:0:0:0:2")
    for device in ("a", "b"):
        r.send(f"ip_{device}", PACKET)
        assert r.expect(f"out_{device}").dst == "02:00:00:00:00:02"
    r.write("a.insert", "10.0.0.2 2:0:0:0:0:3")
    for device in ("a", "b"):
        r.send(f"ip_{device}", PACKET)
        assert r.expect(f"out_{device}").dst == "02:00:00:00:00:03"
    r.write("t.delete", "10.0.0.2")
    r.send("ip_b", PACKET)
    assert r.expect("asks_b")[ARP].pdst == "10.0.0.2"
    r.expect_nothing()


def test_each_querier_has_its_own_time_to_ask_again(shared):
    r = shared()
    r.write("t.insert", "10.0.0.2 2:0:0:0:0:2")
    r.advance(1)
    r.send("ip_a", PACKET)
    r.expect("out_a")
    r.send("ip_b", PACKET)
    assert r.expect("asks_b").dst == "02:00:00:00:00:02"
    r.expect("out_b")
    r.expect_nothing()


def test_the_table_has_the_limits(shared):
    r = shared("TIMEOUT 2s, CAPACITY 1, ENTRY_CAPACITY 1")
    r.send("ip_a", [PACKET, PACKET])
    assert (r.read("t.length"), r.read("t.drops"), r.read("a.drops")) == ("1", "1", "0")
    assert r.read("a.stats") == "1 packets killed\n1 ARP queries sent\n"
    r.advance(10)
    assert (r.read("t.count"), r.read("t.drops")) == ("0", "2")


def test_expired_addresses_that_are_asked_for_again(shared):
    """They are kept just short of expiring, after entries that nobody uses; of those kept at one time the last comes first, as in
    Click."""
    r = shared("TIMEOUT 1s")
    for host in range(1, 6):
        r.write("t.insert", f"10.0.0.{host} 2:0:0:0:0:{host}")
    r.advance(1.5)
    for host in (2, 4, 3):
        r.send("ip_a", Ether() / IP(dst=f"10.0.0.{host}"))
    r.advance(0.1)
    for host in (1, 2):
        r.send("ip_a", Ether() / IP(dst=f"10.0.0.{host}"))
    lines = [line.split() for line in r.read("t.table").splitlines()]
    assert [(line[0], line[3]) for line in lines] == [
        ("10.0.0.5", "1.600000"),
        ("10.0.0.3", "1.100000"),
        ("10.0.0.4", "1.100000"),
        ("10.0.0.2", "1.000000"),
        ("10.0.0.1", "1.000000"),
    ]


def test_clear(shared):
    r = shared()
    r.write("t.insert", "10.0.0.2 2:0:0:0:0:2")
    r.send("ip_b", PACKET)
    r.expect("out_b")
    r.write("t.clear")
    assert (r.read("t.table"), r.read("t.count")) == ("", "0")
    r.send("ip_b", PACKET)
    r.expect("asks_b")


MISTAKES = {"t :: ARPTable(CAPACITY_SLIM_FACTOR 0);": "cannot be zero"}
