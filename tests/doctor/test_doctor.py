"""`clickbpf doctor`: each condition is made in a namespace, and found; without it, it isn't."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from pyroute2 import IPRoute
from tests import commands

from clickbpf.doctor import devices, examine, kernel, machine
from clickbpf.doctor.finding import GOOD, NOTE, PROBLEM, Finding
from clickbpf.load.devices.devices import all_devices
from clickbpf.load.devices.links import attach_classifier, attach_tc
from clickbpf.load.kernel import features
from clickbpf.load.kernel.fds import BPF_PROG_TYPE_SCHED_CLS, BPF_PROG_TYPE_XDP, Program
from clickbpf.load.life.loader import mode_to_try
from clickbpf.testing.netns import Namespace, Network

pytestmark = pytest.mark.needs("root", "ip", "ethtool")

COMMAND = (sys.executable, "-m", "clickbpf.cli.main", "doctor")


@pytest.fixture
def net() -> Iterator[Network]:
    with Network() as made:
        yield made


@pytest.fixture
def host(net: Network) -> Namespace:
    """A namespace with eth0, whose other end is in another one."""
    here, there = net.namespace("here"), net.namespace("there")
    net.veth(here, "eth0", there, "far")
    return here


def of_device(host: Namespace, *names: str) -> dict[str, Finding]:
    """What is found, by its words."""
    return {finding.what: finding for finding in host.call(lambda: list(devices.examine(names)))}


def the_one(found: dict[str, Finding], words: str) -> Finding:
    (match,) = [finding for what, finding in found.items() if words in what]
    return match


def none_of(found: dict[str, Finding], words: str) -> bool:
    return not any(words in what for what in found)


def test_this_kernel_runs_routers():
    """The rest of the suite loads routers into it."""
    assert [finding for finding in kernel.examine() if finding.level == PROBLEM] == []


def test_a_feature_that_the_kernel_lacks_is_a_problem():
    """There is no program type 9999: EINVAL."""
    (lacking,) = map(kernel._try, [kernel.Feature("flying", kernel._program(9999), "it stays on the ground")])
    assert lacking == Finding("kernel", "no flying (EINVAL): it stays on the ground", PROBLEM)


def test_a_device_that_is_down(host):
    host.ip("link", "set", "eth0", "down")
    assert the_one(of_device(host, "eth0"), "down").cure == "ip link set eth0 up"
    assert of_device(host) == {}
    host.ip("link", "set", "eth0", "up")
    assert none_of(of_device(host, "eth0"), "down")


def test_the_loopback_is_a_device(host):
    assert the_one(of_device(host, "lo"), "the loopback").level == NOTE


def test_a_device_that_is_not_there(host):
    found = the_one(of_device(host, "eth1"), "no such network device")
    assert (found.subject, found.level) == ("eth1", PROBLEM)
    assert "eth0" in found.cure


def test_a_device_without_ethernet(host):
    host.ip("tuntap", "add", "dev", "tun0", "mode", "tun")
    assert the_one(of_device(host, "tun0"), "without Ethernet header").cure == "--hook tc"
    assert none_of(of_device(host, "tun0"), "XDP") and none_of(of_device(host, "tun0"), "no Ethernet addresses")
    assert none_of(of_device(host, "eth0"), "without Ethernet header")


def test_frames_larger_than_a_page(host):
    assert none_of(of_device(host), "MTU")
    host.ip("link", "set", "eth0", "mtu", "5000")
    assert the_one(of_device(host), "MTU 5000").level == NOTE


def test_drivers(host):
    """A veth device has native XDP, a bridge hasn't."""
    host.ip("link", "add", "br0", "type", "bridge")
    assert the_one(of_device(host, "eth0"), "native XDP").level == GOOD
    assert the_one(of_device(host, "br0"), "no native XDP").level == NOTE


def test_drivers_that_take_no_frames_are_put_into_generic_mode(host, monkeypatch):
    """Of a device that gets a program only a driver without native XDP is known before: virtio_net takes frames while it has one."""
    host.ip("link", "add", "br0", "type", "bridge")
    for module in (features, devices):
        monkeypatch.setattr(module, "xdp_features", lambda ifindex: features.BASIC)
    note = the_one(of_device(host, "br0"), "takes no frames from native XDP")
    assert note.level == NOTE and "generic mode" in note.what
    said, (device,) = [], [each for each in host.call(all_devices) if each.name == "br0"]

    def mode(programs: list) -> str:
        manifest = SimpleNamespace(hook="xdp", programs=programs)
        return mode_to_try(SimpleNamespace(manifest=manifest, devices=[device], mode="auto", say=said.append))

    assert mode([]) == "generic" and "takes no frames from native XDP" in said[0]
    assert mode([SimpleNamespace(device=device.configured)]) == "auto" and len(said) == 1
    monkeypatch.setattr(features, "xdp_features", lambda ifindex: features.BASIC | features.TRANSMIT)
    assert mode([]) == "auto" and none_of(of_device(host, "br0"), "takes no frames")


def test_devices_that_take_frames_can_send_by_a_ring(net, host):
    there = net.namespaces[1]
    there.offload("far", gro=False)
    assert none_of(of_device(host, "eth0"), "routers send by a ring")
    there.offload("far", gro=True)
    assert the_one(of_device(host, "eth0"), "routers send by a ring").level == GOOD


@pytest.mark.parametrize("setting, words", [("gro", "gro on"), ("tx", "tx off")])
def test_the_other_end_of_a_veth_pair(net, host, setting, words):
    there = net.namespaces[1]
    there.run("ethtool", "-K", "far", "gro", "on", "tx", "off", "txvlan", "off")
    assert none_of(of_device(host), "other end")
    there.run("ethtool", "-K", "far", setting, "off" if setting == "gro" else "on")
    assert the_one(of_device(host), "other end").cure == f"ip netns exec {there.name} ethtool -K far {words}"


def test_vlan_tags(host):
    host.run("ethtool", "-K", "eth0", "rxvlan", "on")
    assert the_one(of_device(host), "VLAN tags").cure == "ethtool -K eth0 rxvlan off"
    host.run("ethtool", "-K", "eth0", "rxvlan", "off")
    assert none_of(of_device(host), "VLAN tags")


def test_programs_of_others(host):
    assert none_of(of_device(host), "XDP program")
    with Program.passing(BPF_PROG_TYPE_XDP) as program:
        host.call(attach_for_good, program.fd)
    found = the_one(of_device(host), "another XDP program")
    assert found.level == PROBLEM
    host.run(*found.cure.split("'")[3].split())
    assert none_of(of_device(host), "XDP program")


def attach_for_good(fd: int) -> None:
    """As `ip link` does it: without a link that goes with its descriptor."""
    with IPRoute() as netlink:
        netlink.link("set", index=netlink.link_lookup(ifname="eth0")[0], xdp_fd=fd)


@pytest.mark.parametrize("attach", [attach_tc, attach_classifier])
def test_programs_at_tc(host, attach):
    """By a TCX link, and as a filter of a qdisc, which any kernel has."""
    assert none_of(of_device(host), "at TC")
    with Program.passing(BPF_PROG_TYPE_SCHED_CLS) as program:
        attached = host.call(attach, program, host.ifindex("eth0"), "egress")
    assert the_one(of_device(host), "at TC egress: 1").level == NOTE
    assert none_of(of_device(host), "at TC ingress")
    host.call(attached.detach)
    assert none_of(of_device(host), "at TC")


def test_routes_and_filters_of_linux(host):
    host.address("eth0", "10.0.0.1/24")
    host.sysctl("net.ipv4.conf.all.rp_filter", "0")
    host.sysctl("net.ipv4.conf.eth0.rp_filter", "0")
    found = of_device(host)
    assert none_of(found, "default route") and none_of(found, "way back")
    host.ip("route", "add", "default", "via", "10.0.0.2")
    host.sysctl("net.ipv4.conf.eth0.rp_filter", "1")
    found = of_device(host)
    assert "--confirm" in the_one(found, "default route").cure
    assert "net.ipv4.conf.eth0.rp_filter=2" in the_one(found, "way back").cure


def test_forwarding_by_linux(host):
    host.sysctl("net.ipv4.ip_forward", "0")
    assert not [finding for finding in host.call(lambda: list(machine.examine())) if "IPv4" in finding.what]
    host.sysctl("net.ipv4.ip_forward", "1")
    (found,) = [finding for finding in host.call(lambda: list(machine.examine())) if "IPv4" in finding.what]
    assert (found.level, found.cure.split(",")[0]) == (NOTE, "sysctl net.ipv4.ip_forward=0")


def test_a_users_process_lacks_rights():
    """Only what can't be tried without rights is left out, and the status says that routers can't be loaded."""
    nobody = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
    caches = ("CLICKBPF_CACHE", "XDG_CACHE_HOME")
    theirs = {name: value for name, value in os.environ.items() if name not in caches} | {"HOME": "/nonexistent"}
    done = subprocess.run([*nobody, *COMMAND, "--json"], capture_output=True, text=True, env=theirs)
    found = [finding for finding in json.loads(done.stdout) if finding["subject"] == "kernel" and finding["level"] == PROBLEM]
    assert done.returncode == 1
    assert [name in found[0]["what"] for name in ("CAP_BPF", "CAP_NET_ADMIN", "CAP_NET_RAW")] == [True] * 3


def test_limits():
    limited = subprocess.run(["prlimit", "--nofile=100:4096", *COMMAND, "lo9"], capture_output=True, text=True)
    assert "a process may have 100 files open" in limited.stdout and "ulimit -n 1024" in limited.stdout
    assert "files open" not in subprocess.run(["prlimit", "--nofile=4096", *COMMAND, "lo9"], capture_output=True, text=True).stdout


def test_the_command_line(host):
    host.run("ethtool", "-K", "eth0", "rxvlan", "off")
    host.sysctl("net.ipv4.ip_forward", "0")
    done = commands.run(host, "doctor", "eth0")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "kernel"
    assert "  good    native XDP; AF_XDP with a copy of each packet" in done.stdout.split("eth0\n")[1]
    host.ip("link", "set", "eth0", "down")
    done = commands.run(host, "doctor", "eth0")
    assert done.returncode == 1
    assert "  problem down: a router can't be loaded on it\n              ip link set eth0 up" in done.stdout


def test_the_router_that_uses_a_device_is_named(host):
    name = f"doctor{os.getpid()}"
    commands.run(host, "load", "-n", name, "-e", "FromDevice(eth0) -> Discard", check=True)
    try:
        found = of_device(host)
        assert the_one(found, "used by").what == f"used by the router {name}"
        assert none_of(found, "another XDP program")
    finally:
        commands.run(host, "unload", name)


def test_all_of_it_at_once(host):
    assert {finding.subject for finding in host.call(lambda: list(examine()))} == {"kernel", "machine", "eth0"}
