"""ARPQuerier in time, and how much it keeps: Click's documentation and the numbers of Click's own tests."""

import pytest
from scapy.layers.inet import IP
from tests.elements.ethernet.querying import BROADCAST, NATIVE, arrives, query, reply, sent, table

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


def test_who_asks_for_all_addresses_pushes_out_his_own(querier):
    """RFC 6583: hosts that have answered stay, as far as they are no more than half."""
    r = querier("ENTRY_CAPACITY 8")
    known = [f"10.0.0.{n}" for n in range(2, 6)]
    for n, ip in enumerate(known):
        r.write("q.insert", f"{ip} 02:00:00:00:00:{n:02x}")
    r.advance(1)
    for n in range(20, 60):
        r.send("ip", arrives(f"10.0.0.{n}"))
        r.advance(0.01)
    assert [line[0] for line in table(r) if line[1] == "1"] == known
    assert len(table(r)) == 8
    # Half of them is all that those who are asked for leave; more that answer make room by age.
    for n in range(60, 70):
        r.write("q.insert", f"10.0.0.{n} 02:00:00:00:00:{n:02x}")
        r.advance(0.01)
    assert [line[0] for line in table(r)] == [f"10.0.0.{n}" for n in range(62, 70)]
    assert r.read("q.length") == "0"


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
