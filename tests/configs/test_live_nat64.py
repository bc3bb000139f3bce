"""configs/nat64.click between Linux hosts: one that has IPv6 only, and servers that have IPv4 only.

host                                  gateway                       isp                                  server
2001:db8:1::ff:fe00:2 ---- 2001:db8:1::1  192.0.2.1 ---- 192.0.2.254  203.0.113.1 ---- MTU 1400 ---- 203.0.113.5
"""

import errno
import os
import re
import socket
import threading
from contextlib import closing
from functools import partial

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_LSRR
from scapy.layers.inet6 import IPv6, IPv6ExtHdrRouting
from scapy.layers.l2 import Ether
from tests.configs.conftest import Loaded
from tests.configs.connections import assert_a_connection_outlasts_the_runtime
from tests.configs.test_live_iprouter6 import has
from tests.configs.traffic import CONFIGS
from tests.waiting import eventually

from clickbpf.testing.netns import PATIENCE, Network
from clickbpf.testing.traffic import RawPort, ping

pytestmark = [pytest.mark.whole, pytest.mark.needs("root", "ip", "ethtool", "ping", "traceroute", "clang-19")]

HOST, SERVER, NEAR = "2001:db8:1::ff:fe00:2", "203.0.113.5", "192.0.2.254"
PUBLIC = "192.0.2.1"


def mapped(address):
    """As the host sees a server (RFC 6052)."""
    return f"64:ff9b::{address}"


@pytest.fixture(scope="module")
def site():
    """(host, isp, server, the gateway)."""
    with Network() as network:
        place, host = network.namespace("gateway"), network.namespace("host")
        host.sysctl("net.ipv6.conf.default.disable_ipv6", "0")
        network.veth(place, "eth0", host, "eth0", macs=("02:00:00:00:00:10", "02:00:00:00:00:02"))
        host.offload("eth0", tx=False, gro=True)
        isp = network.host("isp", place, "eth1", f"{NEAR}/24")
        server = network.host("server", isp, "eth1", f"{SERVER}/24", "203.0.113.1")
        isp.address("eth1", "203.0.113.1/24")
        isp.sysctl("net.ipv4.ip_forward", "1")
        for end, device in ((isp, "eth1"), (server, "eth0")):
            end.ip("link", "set", device, "mtu", "1400")
        place.ip("link", "set", "eth1", "address", "02:00:00:00:01:10")
        gateway = Loaded(place, CONFIGS / "nat64.click")
        try:
            assert eventually(partial(has, host, HOST)), host.ip("-6", "address")
            yield host, isp, server, gateway
        finally:
            gateway.unload()


def exchange(host, server, target, length):
    """(what the server got and what the host got over one TCP connection, in both directions at once; who the server talked to)."""
    there, back = os.urandom(length), os.urandom(length)
    peers, got = [], []
    with server.socket() as listening, host.socket(socket.AF_INET6) as client:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((target, 8000))
        listening.listen(1)
        listening.settimeout(PATIENCE)
        client.settimeout(PATIENCE)

        def serve():
            connection, peer = listening.accept()
            with connection:
                connection.settimeout(PATIENCE)
                peers.append(peer[0])
                sender = threading.Thread(target=lambda: (connection.sendall(back), connection.shutdown(socket.SHUT_WR)))
                sender.start()
                got.append(read_all(connection))
                sender.join()

        serving = threading.Thread(target=serve)
        serving.start()
        client.connect((mapped(target), 8000))
        sending = threading.Thread(target=lambda: (client.sendall(there), client.shutdown(socket.SHUT_WR)))
        sending.start()
        received = read_all(client)
        sending.join()
        serving.join()
    return got == [there], received == back, peers


def read_all(connection):
    data = bytearray()
    while more := connection.recv(1 << 16):
        data += more
    return bytes(data)


def test_pings_and_their_fragments(site):
    host, _, _, gateway = site
    assert ping(host, mapped(SERVER), 3) == 3
    assert gateway.read("hosts.table") == f"{HOST} ::ffff:100.64.0.0"
    assert f"(100.64.0.0, {SERVER}, " in gateway.read("ping.table")
    # Pieces are put together, translated, cut again for the narrow link, and so on the way back.
    assert ping(host, mapped(SERVER), 2, size=3000) == 2
    assert ping(host, "2001:db8:1::1", 1) == 1


def test_tcp_both_ways(site):
    host, isp, server, _ = site
    assert exchange(host, server, SERVER, 2_000_000) == (True, True, [PUBLIC])
    assert exchange(host, isp, NEAR, 2_000_000) == (True, True, [PUBLIC])


def test_servers_are_told_that_ipv6_has_longer_headers(site):
    """A datagram of 1,488 bytes that must not be cut would have 1,508."""
    host, isp, _, _ = site
    with isp.socket(kind=socket.SOCK_DGRAM) as listening, host.socket(socket.AF_INET6, socket.SOCK_DGRAM) as asking:
        listening.bind((NEAR, 53))
        listening.settimeout(PATIENCE)
        listening.setsockopt(socket.IPPROTO_IP, 10, 2)  # IP_MTU_DISCOVER, IP_PMTUDISC_DO
        asking.settimeout(PATIENCE)
        asking.connect((mapped(NEAR), 53))
        asking.send(b"question")
        peer = listening.recvfrom(100)[1]
        listening.sendto(bytes(1460), peer)
        assert eventually(lambda: "mtu 1480" in isp.ip("route", "get", PUBLIC))
        listening.sendto(bytes(1452), peer)
        assert asking.recv(2000) == bytes(1452)


def test_the_path_mtu_is_found(site):
    """An error from a router of IPv4, which says 1400; with IPv6's header it is 1420."""
    host, *_ = site

    def found():
        ping(host, mapped(SERVER), 1, size=1440, wait=0.3, options=("-M", "do"))
        return "mtu 1420" in host.ip("-6", "route", "get", mapped(SERVER))

    assert eventually(found), host.ip("-6", "route", "get", mapped(SERVER))


def test_the_way_is_seen(site):
    """Each router is a hop, that of IPv4 by its address behind the prefix; and the server refuses what nobody waits for."""
    host, *_ = site
    trace = host.run("traceroute", "-6", "-n", "-q1", "-w2", "-m4", mapped(SERVER)).stdout
    hops = re.findall(r"^ *\d+  (\S+)", trace, re.MULTILINE)
    assert hops == ["2001:db8:1::1", "64:ff9b::c000:2fe", "64:ff9b::cb00:7105"]
    with host.socket(socket.AF_INET6, socket.SOCK_DGRAM) as asking:
        asking.settimeout(PATIENCE)
        asking.connect((mapped(SERVER), 9))
        asking.send(b"nobody")
        with pytest.raises(ConnectionRefusedError):
            asking.recv(100)


def test_udp_without_a_checksum_and_of_many_pieces(site):
    host, _, server, _ = site
    with server.socket(kind=socket.SOCK_DGRAM) as listening, host.socket(socket.AF_INET6, socket.SOCK_DGRAM) as asking:
        listening.bind((SERVER, 53))
        listening.settimeout(PATIENCE)
        listening.setsockopt(socket.SOL_SOCKET, 11, 1)  # SO_NO_CHECK
        asking.settimeout(PATIENCE)
        asking.connect((mapped(SERVER), 53))
        for payload in (b"question", os.urandom(5000)):
            asking.send(payload)
            data, peer = listening.recvfrom(10000)
            assert data == payload and peer[0] == PUBLIC
            listening.sendto(payload[::-1], peer)
            assert asking.recv(10000) == payload[::-1]


def test_what_does_not_pass(site):
    """Addresses that are nobody's outside (RFC 6052, 3.1), and packets that nobody asked for."""
    host, isp, _, gateway = site
    before = int(gateway.read("private.count"))
    for address in ("10.1.2.3", "192.168.1.1", "127.0.0.1", PUBLIC):
        assert ping(host, mapped(address), 1, wait=0.3) == 0
    assert int(gateway.read("private.count")) == before + 4
    with host.socket(socket.AF_INET6) as asking:
        asking.settimeout(PATIENCE)
        with pytest.raises(OSError) as refused:
            asking.connect(("2001:db8:9::1", 80))
    assert refused.value.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH)
    back = gateway.read("back.count")
    with isp.socket(kind=socket.SOCK_DGRAM) as sending:
        sending.sendto(b"nobody asked", (PUBLIC, 1024))
    assert ping(isp, PUBLIC, 1) == 1, "the gateway answers for itself"
    assert gateway.read("back.count") == back


def answer(where, device, packet, expected):
    """The first frame that is `expected` after a packet was sent."""
    with closing(RawPort(where, device)) as port:
        port.send(bytes(packet))
        while frame := port.receive(PATIENCE):
            if expected(Ether(frame)):
                return Ether(frame)
    pytest.fail(f"no answer to {packet.summary()}")


def test_senders_are_told_what_cant_be_translated(site):
    """A routing header, half a header of TCP; and a source route. The errors quote the packets as they were sent, one hop later."""
    host, isp, _, _ = site
    head = Ether(src=host.mac("eth0"), dst="02:00:00:00:00:10") / IPv6(src=HOST, dst=mapped(NEAR))
    routed = Ether(bytes(head / IPv6ExtHdrRouting(addresses=["::1"], segleft=1) / UDP(dport=53)))
    short = Ether(bytes(head / TCP())[:-10])
    short[IPv6].plen = 10
    for packet, said in ((routed, b"\4\0" + bytes([43])), (short, b"\1\1\0")):
        error = answer(host, "eth0", packet, lambda got: IPv6 in got and got[IPv6].nh == 58 and bytes(got[IPv6].payload)[0] in (1, 4))
        message, packet[IPv6].hlim = bytes(error[IPv6].payload), 63
        assert (error[IPv6].src, message[:2] + message[7:8]) == ("2001:db8:1::1", said)
        assert message[8:] == bytes(packet[IPv6])
    with isp.socket(kind=socket.SOCK_DGRAM) as listening, host.socket(socket.AF_INET6, socket.SOCK_DGRAM) as asking:
        listening.bind((NEAR, 53))
        listening.settimeout(PATIENCE)
        asking.sendto(b"question", (mapped(NEAR), 53))
        (_, port) = listening.recvfrom(100)[1]
        ip = IP(src=NEAR, dst=PUBLIC, options=[IPOption_LSRR(pointer=4, routers=["198.51.100.9"])])
        packet = Ether(bytes(Ether(src=isp.mac("eth0"), dst="02:00:00:00:01:10") / ip / UDP(sport=53, dport=port) / b"answer"))
        error = answer(isp, "eth0", packet, lambda got: ICMP in got and got[ICMP].type == 3)
    packet[IP].ttl, packet[IP].chksum = 63, None
    assert (error[IP].src, error[ICMP].code) == (PUBLIC, 5)
    assert bytes(error[ICMP])[8:] == bytes(packet[IP])


def test_connections_go_on_without_the_runtime(site):
    host, _, server, gateway = site
    with server.socket() as listening, host.socket(socket.AF_INET6) as client:
        assert_a_connection_outlasts_the_runtime(gateway.name, client, mapped(SERVER), listening, SERVER, PATIENCE)


def test_a_socket_is_one_address_outside_and_hears_whom_it_has_talked_to(site):
    """RFC 6146, 3.5.1: whatever it talks to; and they may answer from other ports, others may not."""
    host, isp, server, _ = site

    def bound(namespace, address, port):
        listening = namespace.socket(kind=socket.SOCK_DGRAM)
        listening.bind((address, port))
        listening.settimeout(PATIENCE)
        return listening

    with (
        bound(isp, NEAR, 53) as near,
        bound(server, SERVER, 53) as far,
        bound(isp, NEAR, 54) as again,
        host.socket(socket.AF_INET6, socket.SOCK_DGRAM) as asking,
    ):
        asking.settimeout(PATIENCE)
        asking.sendto(b"near", (mapped(NEAR), 53))
        peer = near.recvfrom(100)[1]
        far.sendto(b"nobody asked", peer)
        again.sendto(b"answer", peer)
        assert asking.recvfrom(100)[0] == b"answer"
        asking.sendto(b"far", (mapped(SERVER), 53))
        assert far.recvfrom(100) == (b"far", peer)
        far.sendto(b"another answer", peer)
        assert asking.recvfrom(100)[0] == b"another answer"
