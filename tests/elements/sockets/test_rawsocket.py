"""RawSocket: IP packets from and to Linux's IP layer."""

import socket

import pytest

from clickbpf.errors import ClickError
from clickbpf.testing.traffic import ping

pytestmark = pytest.mark.needs("root", "ip", "ping")


@pytest.fixture
def host(network):
    return network.namespace("host")


def test_pings_are_answered_by_the_router(running, host, becomes):
    host.sysctl("net.ipv4.icmp_echo_ignore_all", "1")
    assert host.run("ping", "-c1", "-W0.2", "127.0.0.1", check=False).returncode == 1
    r = running("s :: RawSocket(ICMP) -> IPClassifier(icmp type echo) -> ICMPPingResponder -> c :: Counter -> Queue -> s;", host)
    assert ping(host, "127.0.0.1", 3, size=1000) == 3
    becomes(r, "c.count", "3")


def test_annotations_and_snaplen(running, host, becomes):
    r = running(
        "RawSocket(UDP, SNAPLEN 30) -> c :: IPClassifier(dst udp port 5353, -) -> short :: CheckLength(30)"
        " -> Pad -> CheckLength(39) -> n :: Counter -> Discard; c[1] -> Discard;",
        host,
    )
    sender = host.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.sendto(b"hello world", ("127.0.0.1", 5353))
    becomes(r, "n.byte_count", "39")
    sender.close()


def test_a_claimed_port(running, host):
    running("RawSocket(UDP, 5353) -> Discard;", host)
    other = host.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with pytest.raises(OSError, match="in use"):
        other.bind(("127.0.0.1", 5353))
    other.close()
    with pytest.raises(ClickError, match="port 5353: Address already in use"):
        running("RawSocket(UDP, 5353) -> Discard;", host)


def test_a_packet_without_header(running, host, becomes, capfd):
    r = running("RatedSource(short, LIMIT 1) -> q :: Queue -> s :: RawSocket(UDP);", host)
    becomes(r, "s.drops", "1")
    assert "runt IP packet (5 bytes)\n" in capfd.readouterr().err


MISTAKES = {"RawSocket(TCP, 70000) -> Discard;": "65535"}
