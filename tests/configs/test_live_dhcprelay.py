"""configs/dhcprelay.click on a Linux router between busybox's DHCP client and dnsmasq.

host ---- eth0 10.1.0.1  192.0.2.1 eth1 ---- 192.0.2.254 (dnsmasq, 10.9.0.2)
"""

import signal

import pytest
from tests.configs.traffic import CONFIGS
from tests.waiting import eventually

pytestmark = [pytest.mark.whole, pytest.mark.needs("root", "ip", "ethtool", "clang-19", "dnsmasq", "udhcpc")]

SCRIPT = """#!/bin/sh
[ "$1" != bound ] || ip address replace "$ip/$mask" dev eth0
[ -z "$router" ] || ip route replace default via "$router"
echo "$1 $ip $domain $serverid" >>"$(dirname "$0")/said"
"""


@pytest.fixture
def said(tmp_path):
    """What the client's script was called with."""
    (tmp_path / "script").write_text(SCRIPT)
    (tmp_path / "script").chmod(0o755)
    (tmp_path / "said").touch()
    return lambda: (tmp_path / "said").read_text().splitlines()


@pytest.mark.parametrize("broadcast", [(), ("-B",)], ids=["one", "all"])
def test_a_host_gets_its_address_and_renews_it(network, load, tmp_path, said, broadcast):
    router = network.namespace("router")
    host = network.host("host", router, "eth0")
    server = network.host("server", router, "eth1", "192.0.2.254/24", "192.0.2.1")
    server.address("lo", "10.9.0.2/32")
    for device, mac, address in (("eth0", "02:00:00:00:00:10", "10.1.0.1/24"), ("eth1", "02:00:00:00:01:10", "192.0.2.1/24")):
        router.ip("link", "set", device, "address", mac)
        router.address(device, address)
    router.route("default", "192.0.2.254")
    router.sysctl("net.ipv4.ip_forward", "1")
    tells = ["--dhcp-range=10.1.0.50,10.1.0.99,255.255.255.0,1h", "--dhcp-circuitid=set:here,floor1"]
    tells += ["--dhcp-option=tag:here,option:domain-name,floor1.example"]
    files = ["--conf-file=/dev/null", f"--dhcp-leasefile={tmp_path}/leases", "--user=root", "--keep-in-foreground"]
    server.popen("dnsmasq", "--port=0", "--no-ping", *files, *tells)
    relay = load(router, CONFIGS / "dhcprelay.click", CIRCUIT="floor1")

    client = host.popen("udhcpc", "-f", "-R", "-t", "50", "-T", "1", "-i", "eth0", "-s", f"{tmp_path}/script", *broadcast)
    assert eventually(lambda: any(line.startswith("bound") for line in said())), said()
    _, address, domain, server_of = next(line for line in said() if line.startswith("bound")).split()
    assert address.startswith("10.1.0.") and domain == "floor1.example", "dnsmasq knows where the host is"
    answered = int(relay.read("answered.count"))
    assert answered >= 2 and int(relay.read("asked.count")) >= 2
    # A renewal is between host and server, by Linux.
    client.send_signal(signal.SIGUSR1)
    assert eventually(lambda: any(line.startswith("renew") for line in said())), said()
    assert int(relay.read("answered.count")) == answered
    assert address in (tmp_path / "leases").read_text()
