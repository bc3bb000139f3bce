"""ICMPPingSource and ICMP6PingSource: echo requests by the clock, and their answers (RFC 792; RFC 4443, 4)."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from scapy.layers.inet import ICMP, IP
from scapy.layers.inet6 import ICMPv6EchoReply, ICMPv6EchoRequest, IPv6, IPv6ExtHdrDestOpt
from scapy.layers.l2 import Ether
from scapy.packet import Packet

from clickbpf.errors import ClickError

LINK = Ether(src="02:00:00:00:00:09", dst="02:00:00:00:00:01")
BACK = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:09")


def wire(identifier: int) -> int:
    """ICMPPingSource's IDENTIFIER as it is on the wire."""
    return int.from_bytes(identifier.to_bytes(2, sys.byteorder), "big")


@dataclass
class Family:
    """What distinguishes the classes: their names, addresses, and packets by sequence number."""

    name: str
    check: str
    ethertype: str
    addresses: tuple[str, str]
    others: tuple[str, str]
    hops: str
    write: Callable[..., Packet]
    echo: Callable[..., Packet]
    reply: Callable[..., Packet]

    def request(self, number: int, addresses: tuple[str, str] | None = None) -> Packet:
        return BACK / self.write(*(addresses or self.addresses), number) / self.echo(number)

    def answer(self, number: int, identifier: int = 513, chain: Packet | None = None) -> Packet:
        ip = self.write(*reversed(self.addresses), hops=9)
        return LINK / (ip / chain if chain else ip) / self.reply(number, identifier)


V4 = Family(
    "ICMPPingSource", "CheckIPHeader", "0x0800", ("10.0.0.1", "10.0.0.2"), ("10.0.0.7", "10.0.0.8"), "ttl",
    lambda source, destination, number=1, hops=200: IP(src=source, dst=destination, ttl=hops, id=number),
    lambda number: ICMP(id=wire(513), seq=number) / b"hello",
    lambda number, identifier: ICMP(type=0, id=wire(identifier), seq=number) / b"hello",
)  # fmt: skip
V6 = Family(
    "ICMP6PingSource", "CheckIP6Header", "0x86dd", ("2001:db8::1", "2001:db8::2"), ("2001:db8::7", "2001:db8::8"), "hlim",
    lambda source, destination, number=1, hops=200: IPv6(src=source, dst=destination, hlim=hops),
    lambda number: ICMPv6EchoRequest(id=513, seq=number, data=b"hello"),
    lambda number, identifier: ICMPv6EchoReply(id=identifier, seq=number, data=b"hello"),
)  # fmt: skip


@pytest.fixture(params=[V4, V6], ids=lambda family: family.name)
def family(request) -> Family:
    return request.param


@pytest.fixture
def ping(router, family):
    def make(keywords: str = "", back: str = "ping"):
        return router(
            f"ping :: {family.name}({', '.join(family.addresses)}, IDENTIFIER 513, DATA hello{keywords})"
            f"-> EtherEncap({family.ethertype}, 02:00:00:00:00:01, 02:00:00:00:00:09) -> Queue -> ToDevice(eth0);"
            f"FromDevice(eth0) -> Strip(14) -> {family.check} -> {back};",
            simtime=True,
        )

    return make


def test_a_request_every_interval(ping, family):
    x = ping(", INTERVAL 0.5, LIMIT 3", "Discard")
    x.advance(0.4)
    x.expect_nothing()
    for number in (1, 2, 3):
        x.advance(0.5)
        x.expect("eth0", family.request(number))
    x.advance(5)
    x.expect_nothing()
    assert x.read("ping.count") == "3"


def test_answers_are_counted_and_timed(ping, family, capfd):
    """Those to others are not."""
    x = ping(", LIMIT 4")
    assert x.read("ping.rtt_min") == "0s"
    for number in range(1, 5):
        x.advance(1)
        x.expect("eth0", family.request(number))
        if number != 2:
            x.send("eth0", family.answer(number))
    x.send("eth0", [family.answer(4), family.answer(9), family.answer(3, identifier=7)])
    assert x.read("ping.summary").startswith("4 packets transmitted, 3 received, +1 duplicates, 25% packet loss\nrtt ")
    report = capfd.readouterr().err.splitlines()
    line = f"ping :: {family.name}: 5 bytes from {family.addresses[1]}: icmp_seq=1 {family.hops}=9 time="
    assert len(report) == 4 and report[0].startswith(line)
    x.write("ping.reset_counts")
    assert x.read("ping.count") == "0" and x.read("ping.summary") == "0 packets transmitted, 0 received"


@pytest.mark.parametrize("family", [V6], ids=[V6.name])
def test_answers_may_have_extension_headers(ping, family, capfd):
    x = ping(", LIMIT 1")
    x.advance(1)
    x.expect("eth0", family.request(1))
    x.send("eth0", family.answer(1, chain=IPv6ExtHdrDestOpt()))
    assert x.read("ping.summary").startswith("1 packets transmitted, 1 received, 0% packet loss\n")
    assert ": 5 bytes from 2001:db8::2: icmp_seq=1 " in capfd.readouterr().err


@pytest.mark.executors("native")
def test_round_trip_times(ping, family):
    x = ping(", LIMIT 1, VERBOSE false")
    x.advance(1)
    x.expect("eth0", family.request(1))
    x.advance(0.25)
    x.send("eth0", family.answer(1))
    assert [x.read(f"ping.rtt_{which}") for which in ("min", "avg", "max")] == ["0.25s"] * 3
    assert x.read("ping.summary").endswith("rtt min/avg/max/mdev = 250.000/250.000/250.000/0.000\n")


def test_an_answer_may_cause_the_next_request(ping, family):
    x = ping(", MIRROR true, VERBOSE false, LIMIT 1")
    x.advance(1)
    x.expect("eth0", family.request(1))
    for number in (2, 3):
        x.send("eth0", family.answer(number - 1))
        x.expect("eth0", family.request(number))


def test_handlers(ping, family):
    x = ping(", ACTIVE false", "Discard")
    x.advance(5)
    x.expect_nothing()
    x.write("ping.src", family.others[0])
    x.write("ping.dst", family.others[1])
    x.write("ping.interval", "100ms")
    x.write("ping.limit", "2")
    x.write("ping.active", "true")
    x.advance(0)
    x.expect("eth0", family.request(1, family.others))
    x.advance(1)
    x.expect("eth0", family.request(2, family.others))
    x.expect_nothing()
    x.write("ping.limit", "3")
    x.advance(0.1)
    x.expect("eth0", family.request(3, family.others))
    for name, wrong in (("limit", "many"), ("src", "nobody")):
        with pytest.raises(ClickError):
            x.write(f"ping.{name}", wrong)
    assert (x.read("ping.active"), x.read("ping.src"), x.read("ping.dst")) == ("true", *family.others)


def test_every_pull_gets_one(router, family):
    x = router(f"ping :: {family.name}({', '.join(family.addresses)}, LIMIT 2) -> Unqueue -> c :: Counter -> Discard;", simtime=True)
    x.advance(1)
    assert (x.read("c.count"), x.read("ping.count")) == ("2", "2")


@pytest.mark.executors("native")
def test_a_mirror_needs_a_push_output(router, family):
    with pytest.raises(ClickError, match="MIRROR"):
        router(f"Idle -> ping :: {family.name}({', '.join(family.addresses)}, MIRROR true) -> Unqueue -> Discard;")
