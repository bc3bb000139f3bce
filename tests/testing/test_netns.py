"""Namespaces, cables and hosts: they carry traffic, and nothing stays behind."""

import os
import socket
import subprocess
import sys

import pytest

from clickbpf.errors import ClickError
from clickbpf.testing import netns
from clickbpf.testing.netns import Network
from clickbpf.testing.traffic import RawPort, ping, tcp_transfer, udp_exchange

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "nsenter", "ping")


KILLED = """
import os, signal
from clickbpf.testing.netns import Namespace
print(Namespace("orphan").name, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def pair():
    """Two hosts on one cable."""
    with Network() as network:
        left, right = network.namespace("left"), network.namespace("right")
        network.veth(left, "eth0", right, "eth0", macs=("02:00:00:00:00:01", "02:00:00:00:00:02"))
        left.address("eth0", "10.9.0.1/24")
        right.address("eth0", "10.9.0.2/24")
        yield left, right


def names():
    return {path.name for path in netns.FOLDER.iterdir()} if netns.FOLDER.is_dir() else set()


def test_hosts_on_a_cable_exchange_every_kind_of_traffic(pair):
    left, right = pair
    assert ping(left, "10.9.0.2", 3) == 3
    assert ping(left, "10.9.0.77", 1, wait=0.2) == 0
    payload = os.urandom(300_000)
    assert tcp_transfer(left, right, "10.9.0.2", 5000, payload) == payload
    assert udp_exchange(right, left, "10.9.0.1", 5001, [b"one", b"two"]) == [b"one", b"two"]


@pytest.mark.parametrize("tag", [b"", bytes.fromhex("8100a064"), bytes.fromhex("88a80065")])
def test_raw_frames_arrive_as_they_were_sent(pair, tag):
    frame = bytes.fromhex("020000000002 020000000001") + tag + b"\x88\xb5" + bytes(range(46))
    with RawPort(pair[0], "eth0") as sending, RawPort(pair[1], "eth0") as receiving:
        sending.send(frame)
        assert receiving.receive(patience=60) == frame
        assert receiving.receive() is None
        assert sending.receive() is None, "a port does not hear itself"


def test_each_has_settings_of_its_own_and_the_caller_stays_outside(pair):
    for number, each in enumerate(pair):
        each.sysctl("net.ipv4.ip_forward", str(number))
    assert [each.run("cat", "/proc/sys/net/ipv4/ip_forward").stdout for each in pair] == ["0\n", "1\n"]
    assert [each.mac("eth0") for each in pair] == ["02:00:00:00:00:01", "02:00:00:00:00:02"]
    before = os.readlink("/proc/thread-self/ns/net")
    assert pair[0].call(os.readlink, "/proc/thread-self/ns/net") != before == os.readlink("/proc/thread-self/ns/net")


def test_a_host_has_address_route_and_real_checksums():
    with Network() as network:
        router = network.namespace("router")
        host = network.host("host", router, "eth1", "10.1.0.2/24", gateway="10.1.0.1", mac="02:00:00:00:01:02")
        router.address("eth1", "10.1.0.1/24")
        router.address("lo", "192.0.2.1/32")
        assert host.mac("eth0") == "02:00:00:00:01:02"
        assert ping(host, "192.0.2.1") == 1
        assert "tx-checksumming: off" in host.run("ethtool", "-k", "eth0").stdout


def test_an_error_inside_comes_out(pair):
    with pytest.raises(OSError):
        pair[0].call(socket.if_nametoindex, "nothing")
    with pytest.raises(ClickError, match="status 3: sorry"):
        pair[0].run("sh", "-c", "echo sorry >&2; exit 3")
    with pytest.raises(ClickError, match="not installed"):
        netns._run(["no-such-command"], True, 1)
    with pytest.raises(ClickError, match="more than 0.1 seconds"):
        pair[0].run("sleep", "5", timeout=0.1)


def test_all_is_removed_after_a_failure():
    def own():
        """Tests that other processes run meanwhile have namespaces, too."""
        return {name for name in names() if name.startswith(f"{netns.PREFIX}{os.getpid()}-")}

    before = own()
    with pytest.raises(ZeroDivisionError), Network() as network:
        inside = network.namespace("x")
        child = inside.popen("sleep", "1000")
        assert own() - before == {inside.name}
        raise ZeroDivisionError
    assert own() == before
    assert child.poll() is not None


def test_what_a_killed_process_left_is_removed():
    """A process that is killed leaves its namespace; the next network removes it, but not those of the living."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    child = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, env=environment)
    orphan = child.stdout.strip()
    assert orphan in names()
    with Network() as living:
        kept = living.namespace("kept")
        netns.remove_stale()
        assert orphan not in names()
        assert kept.name in names()
