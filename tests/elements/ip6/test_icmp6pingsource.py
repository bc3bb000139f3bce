"""ICMP6PingSource: echo requests by the clock, and their answers (RFC 4443, 4)."""

import pytest
from scapy.layers.inet6 import ICMPv6EchoReply, ICMPv6EchoRequest, IPv6, IPv6ExtHdrDestOpt
from scapy.layers.l2 import Ether

LINK = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:09")


def config(keywords: str = "", back: str = "") -> str:
    return (
        f"ping :: ICMP6PingSource(2001:db8::1, 2001:db8::2, IDENTIFIER 513, DATA hello{keywords})"
        "-> EtherEncap(0x86dd, 02:00:00:00:00:01, 02:00:00:00:00:09) -> Queue -> ToDevice(eth0);"
        f"FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> {back or 'ping'};"
    )


def request(number: int, **fields) -> Ether:
    ip = IPv6(**{"src": "2001:db8::1", "dst": "2001:db8::2", "hlim": 200, **fields})
    return LINK / ip / ICMPv6EchoRequest(id=513, seq=number, data=b"hello")


def answer(number: int, identifier: int = 513, chain=None) -> Ether:
    ip = IPv6(src="2001:db8::2", dst="2001:db8::1", hlim=9)
    reply = ICMPv6EchoReply(id=identifier, seq=number, data=b"hello")
    return LINK / ip / chain / reply if chain else LINK / ip / reply


@pytest.fixture
def ping(router):
    return lambda *config_arguments: router(config(*config_arguments), simtime=True)


def test_a_request_every_interval(ping):
    x = ping(", INTERVAL 0.5, LIMIT 3", "Discard")
    for number in (1, 2, 3):
        x.advance(0.5)
        x.expect("eth0", request(number))
    x.advance(5)
    x.expect_nothing()
    assert x.read("ping.count") == "3"


def test_answers_are_counted_and_timed(ping, capfd):
    """After extension headers as well; others' answers are not."""
    x = ping(", LIMIT 3")
    for number in range(1, 4):
        x.advance(1)
        x.expect("eth0", request(number))
        if number != 2:
            x.send("eth0", answer(number, chain=IPv6ExtHdrDestOpt() if number == 3 else None))
    x.send("eth0", [answer(3), answer(9), answer(2, identifier=7)])
    assert x.read("ping.summary").startswith("3 packets transmitted, 2 received, +1 duplicates, 33% packet loss\nrtt ")
    report = capfd.readouterr().err.splitlines()
    assert len(report) == 3
    assert all(line.startswith("ping :: ICMP6PingSource: 5 bytes from 2001:db8::2: icmp_seq=") for line in report)
    assert " icmp_seq=1 hlim=9 time=" in report[0]


def test_an_answer_may_cause_the_next_request(ping):
    x = ping(", MIRROR true, VERBOSE false, LIMIT 1")
    x.advance(1)
    x.expect("eth0", request(1))
    for number in (2, 3):
        x.send("eth0", answer(number - 1))
        x.expect("eth0", request(number))


def test_handlers(ping):
    x = ping(", ACTIVE false", "Discard")
    x.write("ping.src", "2001:db8::7")
    x.write("ping.dst", "2001:db8::8")
    x.write("ping.limit", "1")
    x.write("ping.active", "true")
    x.advance(0)
    x.expect("eth0", request(1, src="2001:db8::7", dst="2001:db8::8"))
    assert (x.read("ping.src"), x.read("ping.dst")) == ("2001:db8::7", "2001:db8::8")


def test_mistakes(refused_router):
    assert "'10.0.0.1' is not an IPv6 address" in refused_router("ICMP6PingSource(10.0.0.1, 2001:db8::2) -> Discard;")
