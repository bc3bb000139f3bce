"""Namespaces that have the number of one that is gone, as the next one often has: what a router has done isn't undone there."""

import json
from dataclasses import asdict

import pytest

from clickbpf.load.devices import settings, veth
from clickbpf.load.devices.record import Record
from clickbpf.load.files.places import RunFolder
from clickbpf.load.kernel import namespaces
from clickbpf.load.life.loader import load
from clickbpf.load.life.unload import unload
from clickbpf.objects.made import MadeDevice
from clickbpf.testing.netns import Namespace, Network

pytestmark = pytest.mark.needs("root", "ip", "tc", "ethtool", "clang-19")


@pytest.fixture
def stranger(net: Network, router: Namespace) -> Namespace:
    """It has a device of the name and index of a host's, set as a router would have set it."""
    made = net.namespace("stranger")
    net.veth(made, "eth0", net.namespace("other"), "eth0")
    made.offload("eth0", gro=True, tx=False, txvlan=False)
    assert made.ifindex("eth0") == net.namespaces[1].ifindex("eth0")
    return made


def number(namespace: Namespace) -> str:
    return str(namespace.path.stat().st_ino)


@pytest.mark.parametrize("gone", ["router", "host1"])
def test_a_stranger_keeps_what_it_has(net, router, stranger, request_for, gone):
    wanted, lost = request_for(), {"router": router, "host1": net.namespaces[1]}[gone]
    router.call(load, wanted)
    file = RunFolder.of(wanted.name).record
    done = json.loads(file.read_text())
    done["changes"] = [each for each in done["changes"] if each["peer"]["device"] == "eth0" and each["feature"] in veth.WANTED]
    assert done["changes"]
    done["made"] = [{"name": "eth0", "index": stranger.ifindex("eth0"), "made": asdict(MadeDevice("eth0", "f"))}]
    if gone == "router":  # what was done in its own namespace; that of the hosts is still theirs
        done["changes"] = [{**change, "peer": {**change["peer"], "namespace": None}} for change in done["changes"]]
    else:
        done["made"] = []
    file.write_text(json.dumps(done).replace(number(lost), number(stranger)))
    before = stranger.call(settings.features_of, "eth0")
    assert before[veth.GRO] and not before[veth.CHECKSUMS]
    unload(wanted.name, wanted.say)
    assert stranger.call(settings.features_of, "eth0") == before


def test_what_identifies_a_namespace(net, router, stranger):
    """The same from inside and from outside, and not its number."""
    found = [namespaces.identity(each.path) for each in (router, stranger)]
    assert found == [each.call(namespaces.here) for each in (router, stranger)]
    assert [namespaces.locate(each) for each in found] == [router.path, stranger.path]
    cookies = [each.partition(":")[2] for each in found]
    assert len({*cookies, namespaces.here().partition(":")[2]}) == 3
    forged = f"{number(stranger)}:{cookies[0]}"
    assert namespaces.locate(forged) is None
    assert stranger.call(lambda: Record(namespace=forged).home) == (False, None), "also from inside"
    assert stranger.call(lambda: Record(namespace=found[1]).home) == (True, None)
