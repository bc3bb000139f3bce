"""Frames from user space that Linux takes as received."""

import socket
from contextlib import ExitStack
from dataclasses import replace

import pytest
from scapy.layers.inet import ICMP, IP
from scapy.layers.l2 import ARP, Ether
from tests.axes import axis
from tests.waiting import eventually

from clickbpf.load.devices import links
from clickbpf.load.devices.devices import resolve
from clickbpf.load.devices.links import attach_xdp
from clickbpf.load.devices.tohost import MARK, attach_tohost
from clickbpf.load.kernel.objects import Object
from clickbpf.load.life.loader import load
from clickbpf.load.life.unload import unload

pytestmark = pytest.mark.needs("root", "ip", "clang-19")

FAR = "02:00:00:00:00:99"


def send(router, frame: bytes, mark: int = MARK) -> None:
    """As the runtime does it."""
    with router.socket(socket.AF_PACKET, socket.SOCK_RAW) as packets:
        packets.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, mark)
        packets.sendto(frame, ("eth0", 0))


def sniff(namespace, patience: float = 60) -> socket.socket:
    """What arrives on eth0 (0x0003 is ETH_P_ALL; outgoing frames are seen, too)."""
    opened = namespace.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    opened.bind(("eth0", 3))
    opened.settimeout(patience)
    return opened


@pytest.fixture(params=axis("native", "generic"))
def attached(router, request):
    """The mode for which the way is made."""
    router.address("eth0", "10.0.0.7/24")
    undo = ExitStack()
    router.call(attach_tohost, router.call(resolve, ("eth0",)), request.param, undo, undo)
    yield request.param
    router.call(undo.close)


def test_arp_reply_is_learned(router, attached):
    """An ARP reply to a question that is pending fills the neighbour table of the device it is received on."""
    client = router.socket(socket.AF_INET, socket.SOCK_DGRAM)
    client.sendto(b"question", ("10.0.0.55", 9))
    reply = Ether(dst=router.mac("eth0"), src=FAR) / ARP(op=2, psrc="10.0.0.55", hwsrc=FAR, pdst="10.0.0.7", hwdst=router.mac("eth0"))
    send(router, bytes(reply))
    assert eventually(lambda: FAR in router.ip("neighbour", "show", "10.0.0.55"))
    client.close()


def test_ping_is_answered(net, router, attached):
    """Linux answers an echo request given to it, by the wire: the host at the other end sees the reply."""
    host = net.namespaces[1]
    router.neighbour("eth0", "10.0.0.1", FAR)
    with sniff(host) as seen:
        send(router, bytes(Ether(dst=router.mac("eth0"), src=FAR) / IP(src="10.0.0.1", dst="10.0.0.7") / ICMP(id=4711)))
        reply = Ether(seen.recv(2048))
    assert (reply.dst, reply[IP].src, reply[ICMP].type, reply[ICMP].id) == (FAR, "10.0.0.7", 0, 4711)


def test_other_frames_leave_as_ever(net, router, attached):
    frame = bytes(Ether(dst="ff:ff:ff:ff:ff:ff", src=FAR, type=0x88B5) / b"plain")
    with sniff(net.namespaces[1]) as seen:
        send(router, frame, mark=1)
        assert seen.recv(2048).startswith(frame)


def test_linux_to_be_told_is_not_sent_out(net, router, attached):
    with sniff(net.namespaces[1], 0.5) as seen:
        send(router, bytes(Ether(dst=FAR, src=FAR, type=0x88B5) / b"secret"))
        with pytest.raises(TimeoutError):
            seen.recv(2048)


def test_xdp_does_not_see_it_again(router, attached, content, own):
    """The program on the device would redirect everything away from Linux."""
    device = router.call(resolve, ("eth0",))[0]
    with Object(content, "cable") as opened:
        opened.load()
        program = opened.program(f"{own}_a")
    with program, router.call(attach_xdp, program, device.ifindex, attached):
        test_arp_reply_is_learned(router, attached)


@pytest.mark.parametrize("mode", axis("native", "generic"))
def test_is_part_of_a_load(router, request_for, unchanged, mode):
    request = request_for(mode=mode)
    request = replace(request, manifest=replace(request.manifest, tohost_devices=("eth0",)))
    router.address("eth0", "10.0.0.7/24")
    with unchanged():
        router.call(load, request)
        try:
            test_arp_reply_is_learned(router, None)
        finally:
            router.call(unload, request.name, request.say)


def test_on_kernels_without_tcx_it_is_a_classifier(monkeypatch, net, router, unchanged):
    """Before Linux 6.6 the kernel knows no such link type and answers EINVAL."""
    real = links.lib.bpf_link_create
    monkeypatch.setattr(links.lib, "bpf_link_create", lambda fd, at, kind, options: -22 if kind == 47 else real(fd, at, kind, options))
    router.address("eth0", "10.0.0.7/24")
    undo = ExitStack()
    with unchanged():
        (made,) = router.call(attach_tohost, router.call(resolve, ("eth0",)), "native", undo, undo)
        assert made.made_qdisc
        test_arp_reply_is_learned(router, None)
        router.call(undo.close)
