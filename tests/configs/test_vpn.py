"""configs/vpn-linux.click and the VPN gateways of the multiprocessor Click paper, each with its counterpart at the other site."""

import pytest
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.ipsec import ESP
from scapy.layers.l2 import Ether
from tests.configs.traffic import CONFIGS

pytestmark = pytest.mark.executors("native", "bpf")

HOSTS = {1: "10.1.0.2", 2: "10.2.0.2"}
HOST_MAC = "02:00:00:00:00:99"
GATEWAYS = ["vpn-linux.click", *(f"papers/vpn{kind}.click" for kind in ("", "-parallel", "-pipeline", "-qos"))]
EIGHT = "papers/vpn-eight.click"
AES = ("000102030405060708090a0b0c0d0e0f", "101112131415161718191a1b1c1d1e1f")
TRIPLE_DES = ("0123456789abcdef23456789abcdef01456789abcdef0123", "fedcba9876543210dcba9876543210feba9876543210fedc")
DIGESTS = ("000102030405060708090a0b0c0d0e0f10111213", "101112131415161718191a1b1c1d1e1f20212223")


class Site:
    """A gateway that knows the Ethernet addresses of its neighbours: eth0 is outside."""

    def __init__(self, router, number: int, configuration: str, simtime: bool = False, **variables: str):
        other = 3 - number
        ciphers = AES if configuration in ("vpn-linux.click", "papers/vpn-parallel.click") else TRIPLE_DES
        if number == 2:
            end = -1 if configuration == EIGHT else None  # the last digit is the tunnel's
            for way, i in {"IN": 0, "OUT": 1}.items():
                variables |= {f"{way}_CIPHER": ciphers[i][:end], f"{way}_DIGEST": DIGESTS[i][:end]}
            if configuration == "papers/vpn-parallel.click":
                ways = (("OUT", 0x1020), ("IN", 0x1010))
                variables |= {f"{way}_SPI{lane}": f"{first + lane:08x}" for way, first in ways for lane in range(4)}
            elif configuration == EIGHT:
                variables |= {"OUT_SPI": "0000102", "IN_SPI": "0000101", "FAR": "10.1.0"}
            else:
                variables |= {"OUT_SPI": "0x1002", "IN_SPI": "0x1001"}
            variables |= {"ADDR0": "192.0.2.2/24", "ADDR1": "10.2.0.1/24", "PEER": "192.0.2.1", "REMOTE": "10.1.0.0/24"}
            variables |= {"MAC0": "02:00:00:00:00:20", "MAC1": "02:00:00:00:01:20"}
        self.macs = [f"02:00:00:00:0{port}:{number}0" for port in (0, 1)]
        devices = {"eth0": self.macs[0], "eth1": self.macs[1]}
        self.router = router(CONFIGS / configuration, variables=variables, devices=devices, simtime=simtime)
        self.router.write("p0/arpq.insert", f"192.0.2.{other} 02:00:00:00:00:{other}0")
        self.router.write("p1/arpq.insert", f"{HOSTS[number]} {HOST_MAC}")
        self.read, self.dropped = self.router.read, self.router.dropped

    def send(self, port: int, packet: IP) -> list[tuple[str, IP]]:
        """An IP packet arrives; the IP packets that leave, with their devices."""
        outputs = self.router.send(f"eth{port}", Ether(src=HOST_MAC, dst=self.macs[port]) / packet)
        return [(output.device, Ether(output.data)[IP]) for output in outputs]


@pytest.fixture
def sites(router):
    return lambda configuration: [Site(router, number, configuration) for number in (1, 2)]


def between(source: int, length: int = 20, **fields) -> IP:
    packet = IP(src=HOSTS[source], dst=HOSTS[3 - source], ttl=64, **fields) / UDP(sport=7, dport=9) / bytes(length)
    return IP(bytes(packet))


@pytest.mark.executors("native")
@pytest.mark.parametrize("configuration", GATEWAYS)
def test_there_and_back(sites, configuration):
    pair = sites(configuration)
    for source, (here, there) in ((1, pair), (2, pair[::-1])):
        for length in (0, 1, 7, 8, 15, 1400):
            packet = between(source, length)
            ((device, outside),) = here.send(1, packet)
            assert (device, outside.src, outside.dst, outside.proto) == ("eth0", f"192.0.2.{source}", f"192.0.2.{3 - source}", 50)
            assert bytes(packet)[20:32] not in bytes(outside)
            ((device, inside),) = there.send(0, outside)
            # Each gateway is a hop.
            packet.ttl = 62
            del packet.chksum
            assert (device, bytes(inside)) == ("eth1", bytes(packet))
        assert outside[ESP].seq == 6
        assert here.read("sent.count") == there.read("received.count") == "6"


@pytest.mark.whole
@pytest.mark.executors("native")
def test_each_of_eight_networks_has_its_own_association(sites):
    here, there = sites(EIGHT)
    for number in range(8):
        host = f"10.2.0.{32 * number + 2}"
        there.router.write("p1/arpq.insert", f"{host} {HOST_MAC}")
        packet = IP(src=HOSTS[1], dst=host) / UDP() / b"there"
        ((_, outside),) = here.send(1, packet)
        assert (outside[ESP].spi, outside[ESP].seq) == (0x1010 + number, 1)
        ((device, inside),) = there.send(0, outside)
        assert (device, inside.dst, inside[UDP].load) == ("eth1", host, b"there")
        ((_, answer),) = there.send(1, IP(src=host, dst=HOSTS[1]) / UDP() / b"back")
        # The other gateway's networks are behind this one, where all of the site is in the first.
        assert answer[ESP].spi == 0x1020 and len(here.send(0, answer)) == 1


#: Answers to a ping, sent by Linux 6.1 as the gateway 192.0.2.2: ESP with AES, and with 3DES.
BY_LINUX = {
    "vpn-linux.click": """
        4500 0058 17cb 0000 4032 dea5 c000 0202 c000 0201 0000 1002 0000 0001 e150 7c7b 9c4c e5d2 7fbd 977a 9957 5445
        fe07 922b 1cb3 2014 4816 f872 dd75 2ebd 4cf4 e460 9c9c 0638 82f1 e7b2 00cc 79c5 4c2a 0d50 afea d2f6 f5fb ef17""",
    "papers/vpn.click": """
        4500 0050 4c1e 0000 4032 aa5a c000 0202 c000 0201 0000 1002 0000 0001 74c5 d764 6a0b a1b1 a557 09ff
        cca2 476a ec9d d1d6 a3e1 3456 47bf 9f2b ddf8 1f6c f559 0378 cb75 61ad 6353 edbf 5f65 0c66 f362 4797""",
}


@pytest.mark.executors("native")
@pytest.mark.parametrize("configuration", BY_LINUX)
def test_what_linux_sends(router, configuration):
    here = Site(router, 1, configuration)
    ((device, inside),) = here.send(0, IP(bytes.fromhex(BY_LINUX[configuration])))
    assert (device, inside.src, inside.dst, inside.len, inside[ICMP].type) == ("eth1", "10.2.0.1", "10.1.0.2", 29, 0)
    whole = bytes(inside)
    del inside.chksum, inside[ICMP].chksum
    assert bytes(inside) == whole


def test_what_does_not_belong_is_dropped(sites):
    here, there = sites("vpn-linux.click")
    ((_, outside),) = here.send(1, between(1))
    raw = bytes(outside)

    def refused(data: bytes, reason: str) -> bool:
        packet = IP(data)
        packet.len = len(data)
        del packet.chksum
        before = there.dropped(reason=reason)
        assert there.send(0, packet) == []
        return there.dropped(reason=reason) == before + 1

    for place in (20, 24, 30, 60, len(raw) - 1):
        assert refused(raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :], "UNAUTHENTIC")
    assert refused(raw[:-1], "UNAUTHENTIC")
    assert refused(raw[:30], "MALFORMED")
    assert len(there.send(0, outside)) == 1
    assert refused(raw, "REPLAYED")
    assert there.read("received.count") == "1"


def test_nothing_comes_in_the_clear_and_no_stranger_enters(sites):
    here, there = sites("vpn-linux.click")
    assert there.send(0, between(1)) == []
    assert there.read("forged.count") == "1"
    assert here.send(1, IP(src="10.3.0.1", dst=HOSTS[2]) / UDP()) == []
    assert here.read("strangers.count") == "1"
    ((_, outside),) = here.send(1, between(1))
    outside.src = "192.0.2.77"
    del outside.chksum
    assert [device for device, _ in there.send(0, outside)] == ["host"]
    assert there.read("received.count") == "0"


def test_long_packets(sites):
    """What must not be cut is refused with the MTU that fits; what is cut fits, to the last byte."""
    here, there = sites("vpn-linux.click")
    ((device, report),) = here.send(1, between(1, 1411, flags="DF"))
    assert (device, report[ICMP].type, report[ICMP].code, report[ICMP].nexthopmtu) == ("eth1", 3, 4, 1438)
    ((_, outside),) = here.send(1, between(1, 1410, flags="DF"))
    assert 1500 - 16 < len(outside) <= 1500
    parts = here.send(1, between(1, 2000))
    assert len(parts) == 2
    assert sum(len(there.send(0, part)) for _, part in parts) == 2


@pytest.mark.whole
@pytest.mark.executors("native")
def test_voice_goes_first(router):
    here = Site(router, 1, "papers/vpn-qos.click", simtime=True, LINK="100kBps")
    there = Site(router, 2, "papers/vpn-qos.click")
    left = []
    for tos in (0,) * 30 + (46 << 2,) * 5:
        left += here.router.send("eth1", Ether(src=HOST_MAC, dst=here.macs[1]) / between(1, 1000, tos=tos))
    left += here.router.advance(1)
    inside = [there.send(0, Ether(output.data)[IP])[0][1].tos for output in left]
    assert (len(inside), inside.count(46 << 2)) == (35, 5)
    assert max(place for place, tos in enumerate(inside) if tos) < 10
