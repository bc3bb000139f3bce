"""What hosts beside a router need, found in its configuration."""

from ipaddress import ip_interface
from pathlib import Path

import pytest
from tests.axes import few

from clickbpf.compile import Compilation, check_file, check_text
from clickbpf.tryout.addresses import MOST, hosts, interfaces
from clickbpf.vocabulary.library import Library

CONFIGS = Path(__file__).parents[2] / "configs"
LIBRARY = Library.standard()
#: Names for the elements between ARP and a device.
ROUTER = """
    FromDevice(eth0) -> c :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -); c[3] -> Discard;
    q :: Queue -> ToDevice(eth0);
    c[0] -> ARPResponder(%s) -> q;
    c[1] -> [1] arp :: ARPQuerier(%s) -> q;
    c[2] -> Strip(14) -> CheckIPHeader -> rt :: StaticIPLookup(%s) -> arp;
"""


def of(checked):
    found = interfaces(checked, Compilation(checked).devices)
    return found, hosts(checked, found)


def of_text(text):
    return of(check_text(text, LIBRARY))


def of_file(name, **variables):
    return of(check_file(CONFIGS / name, LIBRARY, variables))


def texts(addresses):
    return [str(address) for address in addresses]


def test_addresses_that_have_names():
    router, beside = of_file("iprouter.click")
    assert texts((router["eth0"].ip, router["eth0"].ip6, router["eth0"].ether)) == ["10.0.0.1/24", "2001:db8::1/64", "02-00-00-00-00-10"]
    assert texts((router["eth1"].ip, router["eth1"].ip6, router["eth1"].ether)) == ["10.0.1.1/24", "2001:db8:1::1/64", "02-00-00-00-01-10"]
    # The host on eth0 is also the gateway to all other networks.
    assert texts(beside["eth0"].addresses) == ["10.0.0.2/24", "10.0.0.254/24", "2001:db8::2/64", "2001:db8::fe/64"]
    assert texts(beside["eth0"].gateways) == ["10.0.0.1", "2001:db8::1"]
    assert texts(beside["eth1"].addresses) == ["10.0.1.2/24", "2001:db8:1::2/64"]


def test_variables_move_them():
    router, beside = of_file("iprouter.click", ADDR1="192.168.7.9/29")
    assert str(router["eth1"].ip) == "192.168.7.9/29"
    assert texts(beside["eth1"].addresses)[0] == "192.168.7.10/29"


def test_names_of_devices_are_enough():
    """AddressInfo under the name of a device where no element has the device's addresses; an element that has some comes first."""
    bridge = "FromDevice(eth0) -> Queue -> ToDevice(eth1); FromDevice(eth1) -> Queue -> ToDevice(eth0);"
    router, beside = of_text(f"AddressInfo(eth0 10.1.0.1/28 2001:db8::1/64 2:0:0:0:0:1, other 10.9.0.1/24); {bridge}")
    assert texts((router["eth0"].ip, router["eth0"].ip6, router["eth0"].ether)) == ["10.1.0.1/28", "2001:db8::1/64", "02-00-00-00-00-01"]
    assert texts(beside["eth0"].addresses) == ["10.1.0.2/28", "2001:db8::2/64"]
    assert texts(beside["eth0"].gateways) == ["10.1.0.1", "2001:db8::1"]
    assert router["eth1"].ip is None and texts(beside["eth1"].addresses) == ["10.0.0.1/24"]
    named = ROUTER % ("10.0.0.1 2:0:0:0:0:1", "10.0.0.1, 2:0:0:0:0:1", "10.0.0.0/24 0")
    router, _ = of_text(f"AddressInfo(eth0 10.1.0.1/28 2:0:0:0:0:9); {named}")
    assert str(router["eth0"].ip) == "10.0.0.1/24"


def test_both_sides_of_a_translator():
    router, beside = of_file("nat.click")
    assert (str(router["eth0"].ip), str(router["eth1"].ip)) == ("192.168.0.1/24", "198.51.100.1/24")
    assert texts(beside["eth1"].addresses) == ["198.51.100.2/24", "198.51.100.254/24"]


def test_hosts_on_a_switch_share_a_network():
    router, beside = of_file("switch.click")
    assert {interface.ip for interface in router.values()} == {None}
    assert [texts(host.addresses) for host in beside.values()] == [[f"10.0.0.{n}/24"] for n in (1, 2, 3, 4)]
    assert not any(host.gateways for host in beside.values())


@pytest.mark.parametrize(
    "arp, routes, router, host",
    [
        ("172.16.3.1/20, 2:0:0:0:0:1", "0.0.0.0/0 0", "172.16.3.1/20", "172.16.0.1/20"),
        ("172.16.3.1, 2:0:0:0:0:1", "172.16.3.1/32 0, 172.16.3.0/26 0, 172.16.0.0/16 0, 0.0.0.0/0 0", "172.16.3.1/26", "172.16.3.2/26"),
        ("172.16.3.1, 2:0:0:0:0:1", "172.16.3.0/255.255.255.128 0", "172.16.3.1/25", "172.16.3.2/25"),
        ("172.16.3.1, 2:0:0:0:0:1", "0.0.0.0/0 0", "172.16.3.1/24", "172.16.3.2/24"),
        ("172.16.3.0/31, 2:0:0:0:0:1", "0.0.0.0/0 0", "172.16.3.0/31", "172.16.3.1/31"),
    ],
)
def test_addresses_that_are_written_out(arp, routes, router, host):
    address, _, ether = arp.partition(", ")
    found, beside = of_text(ROUTER % (f"{address} {ether}", arp, routes))
    assert str(found["eth0"].ip) == router
    assert texts(beside["eth0"].addresses) == [host]


def test_a_thousand_neighbours_are_not_all_one_host():
    routes = ", ".join(f"10.1.0.0/16 10.0.{n // 250}.{n % 250 + 3} 0" if n % 2 else f"10.{n % 250}.0.0/16 10.0.0.9 0" for n in range(1000))
    _, beside = of_text(ROUTER % ("10.0.0.1/16 2:0:0:0:0:1", "10.0.0.1/16, 2:0:0:0:0:1", routes))
    assert len(beside["eth0"].addresses) == MOST + 1
    assert texts(beside["eth0"].addresses)[0] == "10.0.0.2/16"


def test_hosts_without_a_router_stay_clear_of_its_networks():
    text = ROUTER % ("10.0.0.1/23 2:0:0:0:0:1", "10.0.0.1/23, 2:0:0:0:0:1", "0.0.0.0/0 0")
    _, beside = of_text(text + "FromDevice(eth1) -> Queue -> ToDevice(eth2); FromDevice(eth2) -> Queue -> ToDevice(eth1);")
    assert texts(beside["eth1"].addresses) == ["10.0.2.1/24"]
    assert texts(beside["eth2"].addresses) == ["10.0.2.2/24"]


#: But for that whose addresses are Linux's.
@pytest.mark.parametrize("path", few(sorted({*CONFIGS.glob("*.click")} - {CONFIGS / "linuxrouter.click"}), 5), ids=lambda path: path.stem)
def test_each_configuration_has_hosts_of_their_own_addresses(path):
    needed = {"pcap-count.click": {"FILE": "x"}, "pcap-flows.click": {"FILE": "x"}}.get(path.name, {})
    router, beside = of_file(path.name, **needed)
    addresses = [str(address.ip) for host in beside.values() for address in host.addresses]
    own = [str(each.ip) for interface in router.values() for each in (interface.ip, interface.ip6) if each]
    assert len({*addresses, *own}) == len(addresses) + len(own)
    for device, host in beside.items():
        mine = [each for each in (router[device].ip, router[device].ip6) if each]
        assert {ip_interface(each).network for each in host.addresses} == {each.network for each in mine} or not mine
