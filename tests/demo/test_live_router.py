"""What two Linux hosts see of configs/iprouter.click between them: a router as RFC 1812 wants it.

They see the same whether the kernel path is one program, a chain of one for each element, or not there at all. Every
test starts with hosts that know no Ethernet address but their own, and a router whose ARP tables are empty.
"""

import hashlib
import os
import re
import socket
from collections.abc import Callable, Iterator

import pytest
from scapy.layers.inet import ICMP, IP, UDP, icmptypes
from scapy.layers.l2 import Ether
from scapy.packet import Packet
from tests.axes import axis
from tests.waiting import received

from clickbpf.testing.netns import Namespace
from clickbpf.testing.traffic import RawPort, ping, tcp_transfer

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "traceroute", "clang-19")

LEFT, LEFT_GATEWAY = "10.0.0.2", "10.0.0.1"
RIGHT, RIGHT_GATEWAY = "10.0.1.2", "10.0.1.1"


@pytest.fixture(
    params=[*axis((), ("--no-kernel",)), pytest.param(("--chain",), marks=pytest.mark.whole)], ids=["fused", "runtime", "chain"]
)
def anyhow(request: pytest.FixtureRequest, routed: Callable) -> Callable:
    """`routed`, once for each way to run a router."""
    return lambda **arguments: routed(*request.param, **arguments)


def test_hosts_without_neighbours_ping_each_other_and_lose_nothing(anyhow):
    lan = anyhow()
    assert lan.neighbours() == set()
    assert ping(lan.left, RIGHT, 5) == 5
    assert ping(lan.right, LEFT, 5) == 5
    assert lan.neighbours() == {LEFT_GATEWAY, RIGHT_GATEWAY}


def test_traceroute_lists_the_router_by_the_address_nearest_to_the_asker(anyhow):
    lan = anyhow()
    for host, gateway, target in ((lan.left, LEFT_GATEWAY, RIGHT), (lan.right, RIGHT_GATEWAY, LEFT)):
        hops = re.findall(r"^ *(\d+)  (\S+)", host.run("traceroute", "-n", "-q1", "-w10", target).stdout, re.MULTILINE)
        assert hops == [("1", gateway), ("2", target)]


def test_a_packet_at_the_end_of_its_life_is_reported_by_the_router(anyhow):
    """RFC 792: type 11 code 0, quoting the header and eight bytes of the packet; RFC 1812 (4.3.2.4): from the address
    of the interface that the report leaves by."""
    lan = anyhow()
    mac = lan.router.mac("eth0")
    with RawPort(lan.left, "eth0") as port:
        frame = Ether(dst=mac, src=lan.left.mac("eth0")) / IP(src=LEFT, dst=RIGHT, ttl=1, id=4711) / UDP(sport=5, dport=6)
        port.send(bytes(frame))
        error = next(errors(port))
    assert (error[ICMP].type, error[ICMP].code) == (11, 0)
    assert (error[IP].src, error[IP].dst) == (LEFT_GATEWAY, LEFT)
    quoted = bytes(error[ICMP].payload)
    sent = bytes(frame[IP])
    assert quoted[: len(sent)] == sent


def test_what_must_not_be_cut_is_refused_with_the_mtu_of_the_next_link(anyhow):
    """RFC 1191: type 3 code 4, with the MTU, so that the host sends smaller packets from then on."""
    lan = anyhow()
    assert ping(lan.left, RIGHT, 1) == 1
    with RawPort(lan.left, "eth0") as port:
        assert ping(lan.left, RIGHT, 1, size=1400, options=("-M", "do")) == 0
        error = next(errors(port))
    assert (error[ICMP].type, error[ICMP].code, error[ICMP].nexthopmtu) == (3, 4, 1000)
    assert (error[IP].src, error[IP].dst) == (LEFT_GATEWAY, LEFT)
    assert "mtu 1000" in lan.left.ip("route", "get", RIGHT)
    assert ping(lan.left, RIGHT, 1, size=1000 - 28, options=("-M", "do")) == 1


def test_a_long_datagram_crosses_a_short_link_in_fragments_and_arrives_whole(anyhow):
    """RFC 791 (3.2): fragments fit the link, lie at multiples of eight bytes, and together are the datagram."""
    lan = anyhow()
    payload = os.urandom(4000)
    with (
        RawPort(lan.right, "eth0") as wire,
        lan.right.socket(kind=socket.SOCK_DGRAM) as receiver,
        lan.left.socket(kind=socket.SOCK_DGRAM) as sender,
    ):
        receiver.bind((RIGHT, 5000))
        receiver.settimeout(60)
        sender.sendto(payload, (RIGHT, 5000))
        assert receiver.recv(8000) == payload
        fragments = [frame[IP] for frame in frames(wire, patience=0.2) if IP in frame and frame[IP].dst == RIGHT]
    assert len({fragment.id for fragment in fragments}) == 1
    assert max(fragment.len for fragment in fragments) <= 1000
    assert [fragment.flags.MF for fragment in fragments].count(False) == 1
    assert sum(fragment.len - 20 for fragment in fragments) == 8 + len(payload)
    assert len(fragments) > 4000 // 1000


def test_the_route_is_recorded_in_both_directions(anyhow):
    """RFC 791 (3.1, record route): every hop writes the address of the interface that it sends the packet by."""
    lan = anyhow()
    said = lan.left.run("ping", "-n", "-R", "-c1", "-W2", RIGHT).stdout
    route = re.findall(r"(?:RR:)?\s+(\d+\.\d+\.\d+\.\d+)$", said, re.MULTILINE)
    assert route == [LEFT, RIGHT_GATEWAY, RIGHT, RIGHT, LEFT_GATEWAY, LEFT]


def test_a_detour_is_forwarded_and_its_sender_told_of_the_shorter_way(anyhow):
    """RFC 1812 (5.2.7.2): type 5 code 1 with the better gateway, here the destination itself, which is a neighbour."""
    lan = anyhow()
    neighbour = "10.0.0.3"
    lan.left.address("eth0", f"{neighbour}/24")
    with RawPort(lan.left, "eth0") as port:
        port.send(bytes(
            Ether(dst=lan.router.mac("eth0"), src=lan.left.mac("eth0"))
            / IP(src=LEFT, dst=neighbour, ttl=9) / UDP(sport=5, dport=6) / b"the long way round"
        ))
        seen = received(port, lambda frames: any(map(is_redirect, frames)) and any(is_for(frame, neighbour) for frame in frames))
    redirects = [Ether(frame) for frame in seen if is_redirect(frame)]
    forwarded = [Ether(frame) for frame in seen if is_for(frame, neighbour)]
    assert [(r[ICMP].type, r[ICMP].code, r[ICMP].gw, r[IP].src, r[IP].dst) for r in redirects] == [
        (5, 1, neighbour, LEFT_GATEWAY, LEFT)
    ]
    assert [(f[IP].ttl, bytes(f[UDP].payload)) for f in forwarded] == [(8, b"the long way round")]


def test_linux_answers_for_the_router_itself(anyhow):
    """On either of its addresses, from either side."""
    lan = anyhow()
    for host in (lan.left, lan.right):
        for address in (LEFT_GATEWAY, RIGHT_GATEWAY):
            assert ping(host, address, 2) == 2, f"{host.name} pings {address}"


def test_megabytes_arrive_in_each_direction(anyhow):
    lan = anyhow()
    transfer(lan.left, lan.right, RIGHT)
    transfer(lan.right, lan.left, LEFT)


def test_only_the_kernel_works_once_neighbours_are_known(lan):
    """Every packet is counted where it comes in and where it goes out; the runtime counts what goes out by itself."""
    assert ping(lan.left, RIGHT) == 1
    before = lan.work()
    assert before.runtime > 0, "it asked for the neighbours"
    segments = transfer(lan.left, lan.right, RIGHT) + transfer(lan.right, lan.left, LEFT)
    after = lan.work()
    assert after.runtime == before.runtime
    assert after.kernel - before.kernel >= 2 * segments


def test_the_kernel_goes_on_when_the_runtime_is_killed(lan):
    assert ping(lan.left, RIGHT, 2) == 2
    lan.kill_runtime()
    assert ping(lan.left, RIGHT, 20) == 20
    assert ping(lan.right, LEFT, 20) == 20


def test_unload_leaves_nothing(cabled: Callable):
    lan = cabled()
    before = lan.traces()
    lan.load()
    assert ping(lan.left, RIGHT, 2) == 2
    assert lan.traces() != before
    lan.unload()
    assert lan.traces() == before


def is_redirect(frame: bytes) -> bool:
    return ICMP in Ether(frame)


def is_for(frame: bytes, address: str) -> bool:
    return IP in (packet := Ether(frame)) and packet[IP].dst == address


def transfer(sender: Namespace, receiver: Namespace, address: str) -> int:
    """Send 20 MB by TCP; the fewest segments of a 1500-byte link that they take."""
    payload = os.urandom(20 << 20)
    received = tcp_transfer(sender, receiver, address, 5001, payload, patience=60)
    assert hashlib.sha256(received).hexdigest() == hashlib.sha256(payload).hexdigest()
    return len(payload) // 1460


def frames(port: RawPort, patience: float) -> Iterator[Packet]:
    """The frames that arrive until none has for `patience` seconds."""
    while (frame := port.receive(patience)) is not None:
        yield Ether(frame)


def errors(port: RawPort) -> Iterator[Packet]:
    """The ICMP error messages among the frames of the next seconds."""
    for frame in frames(port, patience=30.0):
        if ICMP in frame and icmptypes[frame[ICMP].type] not in ("echo-request", "echo-reply"):
            yield frame
