"""FromHost and ToHost: what Linux sends to a device that the router makes, and what it gets there."""

import pytest
from scapy.layers.inet import ICMP, IP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import ARP, Ether

from clickbpf.compile import Compilation, check_text
from clickbpf.vocabulary.library import Library

LINUX, ROUTER = "02:00:00:00:00:09", "01:01:01:01:01:01"


@pytest.fixture
def compiled():
    return lambda text: Compilation(check_text(text, Library.standard()))


def request_frame():
    return Ether(dst="ff:ff:ff:ff:ff:ff", src=LINUX) / ARP(psrc="192.0.2.1", hwsrc=LINUX, pdst="192.0.2.9")


@pytest.mark.parametrize("end", ["ToHost", "ToHost(fake0)", "Queue -> Unqueue -> ToHost", "Queue -> Unqueue -> ToHost(fake0)"])
def test_packets_come_from_linux_and_go_back(router, end):
    """Without DEVNAME, Linux receives a packet on the device that it sent it to."""
    r = router(f"FromHost(fake0, 192.0.2.1/24) -> ARPResponder(0/0 {ROUTER}) -> {end};")
    r.send("fake0", request_frame())
    answer = r.expect("fake0")
    assert (answer.dst, answer[ARP].op, answer[ARP].psrc, answer[ARP].hwsrc) == (LINUX, 2, "192.0.2.9", ROUTER)
    r.expect_nothing()


def test_packets_of_another_device_go_to_the_one_named(router):
    r = router("FromDevice(eth0) -> ToHost(fake0); FromHost(fake0) -> Queue -> ToDevice(eth0);")
    frame = bytes(Ether(dst=LINUX, src=ROUTER) / IP() / ICMP())
    r.forwards("eth0", frame, "fake0")
    r.forwards("fake0", frame, "eth0")


@pytest.mark.executors("native", "bpf")
def test_a_device_that_exists_can_be_named_as_well(router):
    """As Click's drivers do it: DEVNAME stands for the device that the packet came from."""
    r = router("FromDevice(eth0) -> h :: ToHost(eth1); FromDevice(eth1) -> i :: ToHost(eth1);")
    frame = bytes(Ether(dst=LINUX, src=ROUTER) / IP() / ICMP())
    for device in ("eth0", "eth1"):
        r.send(device, frame)
        r.expect_host(frame)
    assert (r.read("h.count"), r.read("i.count"), r.read("h.dev_name")) == ("1", "1", "eth1")


@pytest.mark.executors("native", "bpf")
def test_packets_from_linux_are_for_this_host(router):
    """Click makes such packets with the type HOST, whatever their Ethernet header says."""
    r = router("FromHost(fake0) -> d :: DropBroadcasts -> c :: Counter -> ToHost;")
    r.send("fake0", request_frame())
    r.send("fake0", Ether(dst=ROUTER, src=LINUX) / IP())
    assert r.read("c.count") == "2"


@pytest.mark.executors("native", "bpf")
@pytest.mark.parametrize(
    "protocol, packet, valid",
    [
        (0x0800, IP(dst="192.0.2.9") / ICMP(), True),
        (0x0800, IP(dst="192.0.2.9", options=[b"\x01\x01\x01\x00"]) / ICMP(), True),
        (0x86DD, IPv6(dst="2001:db8::9"), True),
        (0x0800, IP(ihl=4), False),
        (0x0806, ARP(), False),
        (0x0806, IP(), False),
        (0x0800, bytes(IP())[:19], False),
        (0x86DD, bytes(IPv6())[:39], False),
    ],
)  # fmt: skip
def test_type_ip_gives_ip_packets_only(router, protocol, packet, valid):
    r = router(
        "f :: FromHost(fake0, TYPE IP) -> good :: Counter -> EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2) -> ToHost;"
        "f[1] -> bad :: Counter -> Discard;"
    )
    r.send("fake0", Ether(dst=ROUTER, src=LINUX, type=protocol) / packet)
    assert (r.read("good.count"), r.read("bad.count"), r.read("f.count")) == (("1", "0", "1") if valid else ("0", "1", "1"))
    if valid:
        assert bytes(r.expect("fake0"))[14:] == bytes(packet)


@pytest.mark.executors("native", "bpf")
def test_type_ip_sets_the_annotations(router):
    """ICMPPingResponder needs the header annotation, and does nothing without it."""
    r = router("FromHost(fake0, TYPE IP) -> ICMPPingResponder -> ToHost(fake0, TYPE IP);", devices={"fake0": LINUX})
    r.send("fake0", Ether(dst=LINUX, src=LINUX) / IP(src="192.0.2.1", dst="192.0.2.9") / ICMP(id=7))
    answer = r.expect("fake0")
    assert (answer.dst, answer[IP].dst, answer[ICMP].type, answer[ICMP].id) == (LINUX, "192.0.2.1", 0, 7)


def test_what_is_made_is_said(compiled):
    (made,) = compiled("FromHost(f, 10.1.1.1/24, ETHER 0:1:2:3:4:5, MTU 1400, GATEWAY 10.1.1.2, TYPE IP) -> Discard;").manifest.made
    assert (made.device, made.address, made.ether, made.mtu, made.gateway, made.arp) == (
        "f", "10.1.1.1/24", "00:01:02:03:04:05", 1400, "10.1.1.2", False,
    )  # fmt: skip


def test_dst_is_another_name_of_prefix(compiled):
    (made,) = compiled("FromHost(f, DST 10.1.1.1/24) -> Discard;").plan.made
    assert (made.address, made.ether, made.mtu, made.gateway, made.arp) == ("10.1.1.1/24", None, 1500, None, True)


def test_a_tunnel_runs_in_the_kernel(compiled):
    """Linux reaches a network through the router: from the made device out of a real one, and back."""
    plan = compiled(
        """
        AddressInfo(NET 198.51.100.1/24, ME 203.0.113.5, GW 203.0.113.1);
        up :: ToHost;
        FromHost(fake0, NET) -> c :: Classifier(12/0806, 12/0800, -);
        c[0] -> ARPResponder(0/0 1:1:1:1:1:1) -> up;
        c[1] -> Strip(14) -> MarkIPHeader -> SetIPAddress(GW) -> q :: ARPQuerier(ME, 2:0:0:0:0:1) -> Queue -> ToDevice(eth1);
        c[2] -> Discard;
        FromDevice(eth1) -> d :: Classifier(12/0806 20/0002, -);
        d[0] -> t :: Tee -> [1] q; t[1] -> up;
        d[1] -> back :: ToHost(fake0);
        """
    ).plan
    assert plan.devices == ("fake0", "eth1")
    assert [each.address for each in plan.made] == ["198.51.100.1/24"]
    assert {program.device for program in plan.programs} >= {"fake0", "eth1"}
    assert plan.placements["back"].where == "xdp"


def test_names_in_early_versions_of_click():
    find = Library.standard().find
    assert (find("FromLinux"), find("ToLinux")) == (find("FromHost"), find("ToHost"))


MISTAKES = {
    "FromHost(a-name-too-long0) -> Discard;": "can't be the name of a device",
    "FromHost(a/b) -> Discard;": "can't be the name of a device",
    "FromHost(f, 10.1.1.1/24, DST 10.1.1.1/24) -> Discard;": "PREFIX and DST are one argument",
    "FromHost(f, 10.1.1.1/24, GATEWAY 10.1.2.1) -> Discard;": "10.1.2.1 is not within PREFIX",
    "FromHost(f, GATEWAY 10.1.2.1) -> Discard;": "10.1.2.1 is not within PREFIX",
    "FromHost(f, ETHER 1:2:3:4:5:6) -> Discard;": "can't be a device's own address",
    "FromHost(f) -> Discard; FromDevice(f) -> Discard;": "receives from f already",
}
