"""Devices of the configuration and of the machine, and the far ends of veth pairs."""

import os
from pathlib import Path

import pytest
from tests.waiting import eventually

from clickbpf.errors import ClickError
from clickbpf.load.devices import settings, veth
from clickbpf.load.devices.devices import resolve
from clickbpf.load.kernel import namespaces
from clickbpf.testing.netns import FOLDER, PREFIX

pytestmark = pytest.mark.needs("root", "ip", "ethtool")


def test_what_is_known_of_a_device(net, router):
    router.ip("link", "set", "eth0", "mtu", "1400", "address", "02:00:00:00:00:07")
    router.ip("link", "add", "wide", "numrxqueues", "4", "numtxqueues", "4", "type", "veth", "peer", "name", "far")
    router.ip("link", "set", "wide", "up")
    router.run("ethtool", "-L", "wide", "rx", "3")
    found, wide = router.call(resolve, ("outside", "wide"), ("eth0", "wide"), {"outside": "eth0"})
    assert (found.configured, found.name) == ("outside", "eth0")
    assert (found.mtu, found.mac.hex(), found.kind) == (1400, "020000000007", "veth")
    assert found.ifindex == router.ifindex("eth0")
    assert str(found) == "eth0 (the configuration's outside)"
    assert wide.queues == 3


def test_all_mistakes_at_once(router):
    router.ip("link", "add", "br0", "type", "bridge")
    with pytest.raises(ClickError) as caught:
        router.call(resolve, ("eth0", "eth9", "br0", "other"), ("eth0", "eth9", "br0"), {"nosuch": "eth0"})
    assert [d.message for d in caught.value.diagnostics] == [
        "the configuration has no device nosuch",
        "there is no network device eth9",
        "the configuration uses other, which is not among the devices given",
        "br0 is down",
    ]
    assert caught.value.diagnostics[1].hint == "did you mean 'eth1.7'?", "eth0 is used already"
    assert caught.value.diagnostics[3].hint == "ip link set br0 up"


def test_a_second_configuration_is_no_device(router):
    with pytest.raises(ClickError) as caught:
        router.call(resolve, ("eth0",), ("other.click",))
    assert "one configuration at a time" in caught.value.diagnostics[0].hint


def test_one_device_can_not_stand_for_two(router):
    with pytest.raises(ClickError, match="eth0 can't be both a and b"):
        router.call(resolve, ("a", "b"), (), {"a": "eth0", "b": "eth0"})


def test_peers_here_and_elsewhere(net, router):
    router.ip("link", "add", "near", "type", "veth", "peer", "name", "nigh")
    for device in ("near", "nigh"):
        router.ip("link", "set", device, "up")
    far, near = router.call(lambda: [veth.find_peer(d) for d in resolve(("eth0", "near"))])
    assert (far.device, far.path) == ("eth0", net.namespaces[1].path)
    assert (near.device, near.path) == ("nigh", None)
    assert veth.advice(near, {veth.GRO: True}) == "ethtool -K nigh gro on"


def test_peer_is_found_beside_a_namespace_that_is_being_made(net, router):
    """`ip netns add` makes a file first, and then mounts the namespace on it."""
    unfinished = FOLDER / f"{PREFIX}{os.getpid()}-0-unfinished"
    unfinished.touch(0)
    try:
        peer = router.call(lambda: veth.find_peer(resolve(("eth0",))[0]))
    finally:
        unfinished.unlink()
    assert peer.path == net.namespaces[1].path


def test_peer_in_a_namespace_without_a_name(net, router):
    """A container's: known only by its processes."""
    sleeper = router.popen("unshare", "--net", "sleep", "60")
    router.ip("link", "add", "out", "type", "veth", "peer", "name", "inside")
    assert eventually(lambda: _identity(sleeper.pid) != router.call(namespaces.here))
    router.ip("link", "set", "inside", "netns", str(sleeper.pid))
    router.ip("link", "set", "out", "up")
    peer = router.call(lambda: veth.find_peer(resolve(("out",))[0]))
    assert peer.device == "inside"
    assert peer.identity == _identity(sleeper.pid)
    assert veth.advice(peer, {veth.CHECKSUMS: False}).startswith("nsenter --net=/proc/")


def _identity(pid: int) -> str:
    return namespaces.identity(Path(f"/proc/{pid}/ns/net"))


def far_end_switched(device, say=lambda text: None) -> list[settings.Change]:
    (wanted,) = veth.FarEnds().wanted(None, device, "native")
    return list(wanted.switched(True, say))


def test_change_is_undone_where_it_was_made(net, router):
    device = router.call(resolve, ("eth0",))[0]
    said: list[str] = []
    (change, *_) = router.call(far_end_switched, device, said.append)
    assert "generic-receive-offload: on" in net.namespaces[1].run("ethtool", "-k", "eth0").stdout
    router.call(change.undo)
    assert "generic-receive-offload: off" in net.namespaces[1].run("ethtool", "-k", "eth0").stdout


def test_change_of_a_peer_that_is_gone(net, router):
    device = router.call(resolve, ("eth0",))[0]
    changes = router.call(far_end_switched, device)
    router.ip("link", "delete", "eth0")
    for change in changes:
        change.undo()


def test_change_of_a_device_whose_name_is_anothers(net, router):
    """The device is found by its index; what has its name now stays as it is."""
    device, far = router.call(resolve, ("eth0",))[0], net.namespaces[1]
    changes = router.call(far_end_switched, device)
    far.ip("link", "set", "eth0", "down")
    far.ip("link", "set", "eth0", "name", "renamed")
    far.ip("link", "add", "eth0", "type", "veth", "peer", "name", "near")
    far.offload("eth0", tx=False, gro=True)
    for change in changes:
        change.undo()
    assert [far.call(settings.features_of, "renamed")[feature] for feature in (veth.GRO, veth.CHECKSUMS)] == [False, True]
    assert [far.call(settings.features_of, "eth0")[feature] for feature in (veth.GRO, veth.CHECKSUMS)] == [True, False]


def test_generic_mode_needs_no_gro(net, router):
    device = router.call(resolve, ("eth0",))[0]
    peer = router.call(veth.find_peer, device)
    assert set(veth.missing(peer, "native")) == {veth.GRO, veth.CHECKSUMS, veth.TXVLAN}
    assert set(veth.missing(peer, "generic")) == {veth.CHECKSUMS, veth.TXVLAN}
