"""configs/vpn-linux.click with real hosts; the other gateway runs it too, or is Linux with ESP of its own.

10.1.0.2 ---- eth1 10.1.0.1 . 192.0.2.1 eth0 ---- eth0 192.0.2.2 . 10.2.0.1 eth1 ---- 10.2.0.2
"""

import os
import re

import pytest
from tests.configs.traffic import CONFIGS

from clickbpf.errors import ClickError
from clickbpf.testing.traffic import RawPort, ping, tcp_transfer, udp_exchange

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "clang-19")

DIGESTS = ("000102030405060708090a0b0c0d0e0f10111213", "101112131415161718191a1b1c1d1e1f20212223")
#: By Linux's name for the cipher: our configuration, and the keys of both directions.
CIPHERS = {
    "cbc(aes)": ("vpn-linux.click", "000102030405060708090a0b0c0d0e0f", "101112131415161718191a1b1c1d1e1f"),
    "cbc(des3_ede)": (
        "papers/vpn.click",
        "0123456789abcdef23456789abcdef01456789abcdef0123",
        "fedcba9876543210dcba9876543210feba9876543210fedc",
    ),
}

#: What the kernel says where it was built without ESP, or without a cipher or digest (xfrm_user).
NO_ESP = re.compile("Requested .* not found")


class Site:
    def __init__(self, network, number: int):
        self.gateway = network.namespace(f"gateway{number}")
        self.host = network.host(f"host{number}", self.gateway, "eth1", f"10.{number}.0.2/24", f"10.{number}.0.1")
        self.macs = {f"MAC{port}": f"02:00:00:00:0{port}:{number}0" for port in (0, 1)}

    def set_addresses(self) -> None:
        for port in (0, 1):
            self.gateway.ip("link", "set", f"eth{port}", "address", self.macs[f"MAC{port}"])


@pytest.fixture
def sites(network):
    pair = [Site(network, number) for number in (1, 2)]
    network.veth(pair[0].gateway, "eth0", pair[1].gateway, "eth0")
    for site in pair:
        site.set_addresses()
    return pair


def other_way_round(configuration: str) -> dict[str, str]:
    """The variables of the second site's gateway."""
    _, first, second = next(keys for keys in CIPHERS.values() if keys[0] == configuration)
    return {
        "ADDR0": "192.0.2.2/24", "ADDR1": "10.2.0.1/24", "PEER": "192.0.2.1", "REMOTE": "10.1.0.0/24",
        "OUT_SPI": "0x1002", "IN_SPI": "0x1001",
        "OUT_CIPHER": second, "IN_CIPHER": first, "OUT_DIGEST": DIGESTS[1], "IN_DIGEST": DIGESTS[0],
    }  # fmt: skip


def check_traffic(one, two) -> None:
    assert ping(one, "10.2.0.2", 3) == 3
    assert ping(two, "10.1.0.2", 3) == 3
    datagrams = [os.urandom(size) for size in (1, 1000, 1410, 4000)]
    assert udp_exchange(one, two, "10.2.0.2", 7, datagrams) == datagrams
    payload = os.urandom(1_000_000)
    assert tcp_transfer(one, two, "10.2.0.2", 5000, payload) == payload


@pytest.mark.whole
def test_two_sites(sites, load):
    first, second = (
        load(site.gateway, CONFIGS / "vpn-linux.click", **site.macs, **more)
        for site, more in zip(sites, ({}, other_way_round("vpn-linux.click")))
    )
    check_traffic(sites[0].host, sites[1].host)
    assert first.read("sent.count") == second.read("received.count")


# -- Linux -----------------------------------------------------------------------------------------------------------------


def xfrm(gateway, cipher: str) -> None:
    """Linux's side of the tunnel, as the configuration's comment has it; skips where the kernel has no ESP or not the cipher."""
    _, first, second = CIPHERS[cipher]
    ends = ("192.0.2.1", "192.0.2.2")
    try:
        for spi, (src, dst), key, digest in ((0x1001, ends, first, DIGESTS[0]), (0x1002, ends[::-1], second, DIGESTS[1])):
            gateway.ip(
                "xfrm", "state", "add", "src", src, "dst", dst, "proto", "esp", "spi", str(spi), "mode", "tunnel", "replay-window", "64",
                "enc", cipher, f"0x{key}", "auth-trunc", "hmac(sha1)", f"0x{digest}", "96",
            )  # fmt: skip
    except ClickError as error:
        if not NO_ESP.search(str(error)):
            raise
        pytest.skip(f"this kernel does not do ESP with {cipher}: {error}")
    for direction, (near, far) in (("out", (2, 1)), ("fwd", (1, 2)), ("in", (1, 2))):
        gateway.ip(
            "xfrm", "policy", "add", "dir", direction, "src", f"10.{near}.0.0/24", "dst", f"10.{far}.0.0/24",
            "tmpl", "src", f"192.0.2.{near}", "dst", f"192.0.2.{far}", "proto", "esp", "mode", "tunnel",
        )  # fmt: skip


@pytest.mark.parametrize("cipher", CIPHERS)
def test_with_linux(sites, load, cipher):
    linux = sites[1].gateway
    xfrm(linux, cipher)
    linux.address("eth0", "192.0.2.2/24")
    linux.address("eth1", "10.2.0.1/24")
    linux.route("10.1.0.0/24", "192.0.2.1")
    linux.sysctl("net.ipv4.ip_forward", "1")
    for device in ("eth0", "eth1"):
        linux.offload(device, tx=False, gro=True)
    router = load(sites[0].gateway, CONFIGS / CIPHERS[cipher][0], **sites[0].macs)
    with RawPort(linux, "eth0") as wire:
        check_traffic(sites[0].host, sites[1].host)
        seen = [frame for frame in iter(wire.receive, None) if frame[12:14] == b"\x08\x00"]
    assert {frame[23] for frame in seen} == {50}
    assert router.read("forged.count") == "0"
