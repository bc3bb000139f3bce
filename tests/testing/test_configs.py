"""The configurations that come with clickbpf do the same with and without their kernel path."""

from dataclasses import replace
from pathlib import Path

import pytest

from clickbpf.compile import check_file
from clickbpf.plan.devices import device_names
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.packets import IPV6, Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root", "clang-19")

CONFIGS = Path(__file__).parents[2] / "configs"
#: The addresses that the configurations have by default.
MACS = {f"eth{device}": f"02:00:00:00:{device:02x}:10" for device in range(8)}
MIX = Mix(
    addresses=("10.0.0.1", "10.0.0.2", "10.0.0.254", "10.0.1.1", "10.0.1.2", "10.0.0.255", "192.0.2.1", "192.0.2.2", "10.0.0.9"),
    macs=tuple(MACS.values()),
)
MIX6 = replace(
    IPV6,
    addresses6=("2001:db8::1", "2001:db8::2", "2001:db8::fe", "2001:db8:1::1", "2001:db8:1::2", "fe80::ff:fe00:10", "fe80::9"),
    macs=MIX.macs,
)
#: What is on both sides of a NAT64, and what comes back to the address that it has.
MIX64 = replace(
    MIX,
    contents=weights(ipv6=10, ipv4=10, arp=1, noise=1),
    addresses=("192.0.2.1", "192.0.2.1", "192.0.2.254", "203.0.113.5", "100.64.0.0"),
    addresses6=("2001:db8:1::1", "2001:db8:1::2", "2001:db8:1::3", "64:ff9b::203.0.113.5", "64:ff9b::203.0.113.5", "64:ff9b::10.0.0.1"),
    ports=(80, 1024, 1025, 1026),
)
#: Of both families, on both sides of a tunnel.
MIX46 = replace(
    MIX,
    contents=weights(ipv6=10, ipv4=10, arp=1, noise=1),
    addresses=("10.1.0.1", "10.1.0.2", "10.2.0.2"),
    addresses6=("2001:db8:ff::1", "2001:db8:ff::2", "fe80::ff:fe00:110"),
)
MIX_GRE6 = replace(MIX46, addresses6=(*MIX46.addresses6, "2001:db8:1::1", "2001:db8:1::2", "2001:db8:2::2"))
#: Of a house, its provider and the Internet, by few ports, so that some ask and some answer.
MIX_HOME = replace(
    MIX46,
    addresses=("192.168.0.1", "192.168.0.2", "198.51.100.1", "198.51.100.254", "203.0.113.5"),
    addresses6=("2001:db8:100::1", "2001:db8:100::2", "2001:db8:100:42::1", "2001:db8:0:1::2", "2001:db8:9::5", "2001:db8:9::5", "fd00::1"),
    ports=(80, 1024, 1025),
)
MIXES = {"nat64": MIX64, "tunnel-4in6": MIX46, "tunnel-gre6": MIX_GRE6, "homegateway": MIX_HOME}
#: Those that `make test` compares: one of each kind.
SHORT = ("iprouter", "nat", "firewall")


def routers() -> list[Path]:
    """Those that packets arrive at; files in lib/ are parts of others."""
    found = sorted([*CONFIGS.glob("*.click"), *CONFIGS.glob("papers/*.click")])
    return [path for path in found if "FromDevice" in path.read_text() or "require(library" in path.read_text()]


def parameters() -> list:
    return [pytest.param(path, id=path.stem, marks=() if path.stem in SHORT else pytest.mark.whole) for path in routers()]


@pytest.mark.parametrize("path", parameters())
def test_a_configuration(path):
    instances = check_file(path, Library.standard()).instances.values()
    devices = {device: MACS[device] for device in device_names(instances) if device in MACS}
    mix = MIXES.get(path.stem, MIX6 if "ip6" in path.stem else MIX)
    assert_equivalent(path, 2000 if path.parent == CONFIGS else 600, devices=devices, mix=mix, patience=1)
