"""What hosts get from a Linux router: with configs/dhcprelay.click between busybox's DHCP client and dnsmasq, and by DHCPServer.

host ---- eth0 10.1.0.1  192.0.2.1 eth1 ---- 192.0.2.254 (dnsmasq, 10.9.0.2)
"""

import os
import signal
from collections.abc import Callable
from subprocess import Popen

import pytest
from tests.configs.traffic import CONFIGS
from tests.docs.markdown import blocks
from tests.waiting import eventually

from clickbpf.load.files.places import RunFolder
from clickbpf.load.process import service

pytestmark = [pytest.mark.whole, pytest.mark.needs("root", "ip", "ethtool", "clang-19", "dnsmasq", "udhcpc")]
#: docs/recipes.md has the server.
RECIPES = CONFIGS.parent / "docs" / "recipes.md"

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


def happens(client: Popen, said: Callable[[], list[str]], sent: int, answered: str) -> bool:
    """Whether the client's script is called so after a signal. The client asks once each time: what it has asked may be lost while the
    machine is busy."""
    count = len(said())
    for _ in range(20):
        client.send_signal(sent)
        if eventually(lambda: any(each.startswith(answered) for each in said()[count:]), 5):
            return True
    return False


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
    assert int(relay.read("answered.count")) >= 2 and int(relay.read("asked.count")) >= 2

    def renewed_by_linux() -> bool:
        """A client that isn't answered within a second, which a busy machine may not do, asks all servers, by the relay."""
        before = relay.read("answered.count")
        return happens(client, said, signal.SIGUSR1, "renew") and relay.read("answered.count") == before

    assert any(renewed_by_linux() for _ in range(10)), "a renewal is between host and server"
    assert address in (tmp_path / "leases").read_text()


def test_a_server_knows_its_hosts_after_its_death(network, load, tmp_path, said):
    router = network.namespace("router")
    host = network.host("host", router, "eth0")
    router.ip("link", "set", "eth0", "address", "02:00:00:00:00:10")
    router.address("eth0", "192.168.1.1/24")
    (text,) = (block.text for block in blocks(RECIPES.read_text()) if "DHCPServer" in block.text)
    (tmp_path / "server.click").write_text(text)
    server = load(router, tmp_path / "server.click")
    client = host.popen("udhcpc", "-f", "-R", "-t", "50", "-T", "1", "-i", "eth0", "-s", f"{tmp_path}/script")
    assert eventually(lambda: any(line.startswith("bound") for line in said())), said()
    _, address, server_of = next(line for line in said() if line.startswith("bound")).split()
    assert (address.rpartition(".")[0], server_of) == ("192.168.1", "192.168.1.1")
    os.kill(service.alive(RunFolder.of(server.name)), signal.SIGKILL)
    server.clickbpf("load", "--resume", "-n", server.name, str(tmp_path / "server.click"))
    assert server.read("server.leases").startswith(f"{address} ")
    for sent, answered in ((signal.SIGUSR1, "renew"), (signal.SIGUSR2, "deconfig"), (signal.SIGUSR1, "bound")):
        assert happens(client, said, sent, answered), (said(), server.clickbpf("drops", server.name))
    assert said()[-1].split()[1] == address and server.read("server.leases").startswith(f"{address} ")
