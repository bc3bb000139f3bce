"""ICMPPingSource: echo requests by the clock, and their answers (RFC 792)."""

import sys

import pytest
from scapy.layers.inet import ICMP, IP
from scapy.layers.l2 import Ether

from clickbpf.errors import ClickError

#: IDENTIFIER as it is on the wire.
WIRE_ID = int.from_bytes((513).to_bytes(2, sys.byteorder), "big")
LINK = Ether(src="02:00:00:00:00:09", dst="02:00:00:00:00:01")


def config(keywords: str = "", back: str = "") -> str:
    return (
        f"ping :: ICMPPingSource(10.0.0.1, 10.0.0.2, IDENTIFIER 513, DATA hello{keywords})"
        "-> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:09) -> Queue -> ToDevice(eth0);"
        f"FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> {back or 'ping'};"
    )


def request(number: int, **fields) -> Ether:
    ip = IP(**{"src": "10.0.0.1", "dst": "10.0.0.2", "ttl": 200, "id": number, **fields})
    return Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:09") / ip / ICMP(id=WIRE_ID, seq=number) / b"hello"


def answer(number: int, identifier: int = WIRE_ID) -> Ether:
    return LINK / IP(src="10.0.0.2", dst="10.0.0.1", ttl=9) / ICMP(type=0, id=identifier, seq=number) / b"hello"


@pytest.fixture
def ping(router):
    return lambda *config_arguments: router(config(*config_arguments), simtime=True)


def test_a_request_every_interval(ping):
    x = ping(", INTERVAL 0.5, LIMIT 3", "Discard")
    x.advance(0.4)
    x.expect_nothing()
    for number in (1, 2, 3):
        x.advance(0.5)
        x.expect("eth0", request(number))
    x.advance(5)
    x.expect_nothing()
    assert x.read("ping.count") == "3"


def test_answers_are_counted_and_timed(ping, capfd):
    x = ping(", LIMIT 4")
    assert x.read("ping.rtt_min") == "0ms"
    for number in range(1, 5):
        x.advance(1)
        x.expect("eth0", request(number))
        if number != 2:
            x.send("eth0", answer(number))
    x.send("eth0", [answer(4), answer(9), answer(3, identifier=7)])
    assert x.read("ping.summary").startswith("4 packets transmitted, 3 received, +1 duplicates, 25% packet loss\nrtt ")
    report = capfd.readouterr().err.splitlines()
    assert len(report) == 4 and report[0].startswith("ping :: ICMPPingSource: 5 bytes from 10.0.0.2: icmp_seq=1 ttl=9 time=")
    x.write("ping.reset_counts")
    assert x.read("ping.count") == "0" and x.read("ping.summary") == "0 packets transmitted, 0 received"


@pytest.mark.executors("native")
def test_round_trip_times(ping):
    x = ping(", LIMIT 1, VERBOSE false")
    x.advance(1)
    x.expect("eth0", request(1))
    x.advance(0.25)
    x.send("eth0", answer(1))
    assert [x.read(f"ping.rtt_{which}") for which in ("min", "avg", "max")] == ["250ms"] * 3
    assert x.read("ping.summary").endswith("rtt min/avg/max/mdev = 250.000/250.000/250.000/0.000\n")


def test_an_answer_may_cause_the_next_request(ping):
    x = ping(", MIRROR true, VERBOSE false, LIMIT 1")
    x.advance(1)
    x.expect("eth0", request(1))
    for number in (2, 3):
        x.send("eth0", answer(number - 1))
        x.expect("eth0", request(number))


def test_handlers(ping):
    x = ping(", ACTIVE false", "Discard")
    x.advance(5)
    x.expect_nothing()
    x.write("ping.src", "10.0.0.7")
    x.write("ping.dst", "10.0.0.8")
    x.write("ping.interval", "100ms")
    x.write("ping.limit", "2")
    x.write("ping.active", "true")
    x.advance(0)
    x.expect("eth0", request(1, src="10.0.0.7", dst="10.0.0.8"))
    x.advance(1)
    x.expect("eth0", request(2, src="10.0.0.7", dst="10.0.0.8"))
    x.expect_nothing()
    x.write("ping.limit", "3")
    x.advance(0.1)
    x.expect("eth0", request(3, src="10.0.0.7", dst="10.0.0.8"))
    with pytest.raises(ClickError):
        x.write("ping.limit", "many")
    assert (x.read("ping.active"), x.read("ping.src"), x.read("ping.dst")) == ("true", "10.0.0.7", "10.0.0.8")


def test_every_pull_gets_one(router):
    x = router("ping :: ICMPPingSource(10.0.0.1, 10.0.0.2, LIMIT 2) -> Unqueue -> c :: Counter -> Discard;", simtime=True)
    x.advance(1)
    assert (x.read("c.count"), x.read("ping.count")) == ("2", "2")


def test_mistakes(refused_router):
    assert "DST" in refused_router("ICMPPingSource(10.0.0.1) -> Discard;")
    assert "INTERVAL" in refused_router("ICMPPingSource(10.0.0.1, 10.0.0.2, INTERVAL soon) -> Discard;")


@pytest.mark.executors("native")
def test_a_mirror_needs_a_push_output(router):
    with pytest.raises(ClickError, match="MIRROR"):
        router("Idle -> ping :: ICMPPingSource(10.0.0.1, 10.0.0.2, MIRROR true) -> Unqueue -> Discard;")
