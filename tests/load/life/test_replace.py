"""A router put in the place of another one: no packet lost, and after a failure the old one as it was."""

import struct
from dataclasses import replace as changed

import pytest
from tests.load.flooding import lost_while
from tests.load.traces import programs

from clickbpf.errors import ClickError, Diagnostic
from clickbpf.load.devices import diagnose, veth
from clickbpf.load.devices.devices import resolve
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.kernel.fds import Map
from clickbpf.load.life import loader
from clickbpf.load.life import replace as replacing
from clickbpf.load.life.loader import load
from clickbpf.load.life.replace import replace
from clickbpf.load.life.unload import unload
from clickbpf.load.path.attach import attach_all
from clickbpf.testing.traffic import ping

pytestmark = pytest.mark.needs("root", "ip", "tc", "ethtool", "clang-19")


@pytest.fixture
def loaded(router, request_for):
    """A request that is loaded, and unloaded at the end."""
    request = request_for()
    router.call(load, request)
    yield request
    router.call(unload, request.name, request.say)


def counted(request) -> int:
    with Map.pinned(Pins.of(request.name).state("in/side", "counters")) as counters:
        return sum(struct.unpack_from("=Q", counters.lookup(key))[0] for key in counters)


def forwards(host) -> bool:
    return ping(host, "10.0.0.2", 2) == 2


def test_no_packet_is_lost(net, router, loaded):
    host = net.namespaces[1]
    assert forwards(host)
    before = programs(loaded.name)
    assert lost_while(lambda: [router.call(replace, loaded) for _ in range(5)], host, "10.0.0.2") == 0
    assert not set(before) & set(programs(loaded.name))


def test_old_programs_and_state_are_gone(net, router, loaded):
    assert forwards(net.namespaces[1])
    assert counted(loaded)
    router.call(replace, loaded)
    assert counted(loaded) == 0
    for root in (Pins.of(loaded.name).root, RunFolder.of(loaded.name).root):
        assert list(root.parent.glob(f"{root.name}*")) == [root]


def refuse(*arguments, **keywords):
    raise ClickError("refused by the test")


def test_far_ends_are_ready_before_programs_send_there(net, router, request_for, monkeypatch):
    """A frame redirected into a veth pair is lost unless the other end has GRO on: there is no time without it."""
    net.veth(router, "eth2", net.namespace("host3"), "eth0")
    seen = []

    def attaching(pairs, *arguments, **options):
        missing = [veth.missing(veth.find_peer(device), "native") for device, _ in pairs]
        seen.append(missing)
        return attach_all(pairs, *arguments, **options)

    for module in (loader, replacing):
        monkeypatch.setattr(module, "attach_all", attaching)
    try:
        router.call(load, request_for())
        router.call(replace, request_for(devices=router.call(resolve, ("eth0", "eth1.7"), (), {"eth1.7": "eth2"})))
    finally:
        router.call(unload, request_for().name, request_for().say)
    assert seen == [[{}, {}], [{}]]


def test_only_hooks_that_the_router_does_not_have_must_be_free(net, router, loaded, request_for, monkeypatch):
    net.veth(router, "eth2", net.namespace("host3"), "eth0")
    monkeypatch.setattr(diagnose, "_busy", lambda device: [Diagnostic(None, f"{device.name} is in use")])
    with pytest.raises(ClickError) as caught:
        router.call(replace, request_for(devices=router.call(resolve, ("eth0", "eth1.7"), (), {"eth1.7": "eth2"})))
    assert [found.message for found in caught.value.diagnostics] == ["eth2 is in use"]


@pytest.mark.parametrize("step", ["write_files", "kernel_path", "_take_places", "attach_all", "surroundings", "write_record"])
def test_failure_leaves_the_old_router(net, router, loaded, monkeypatch, step):
    before = programs(loaded.name)
    monkeypatch.setattr(replacing, step, refuse)
    with pytest.raises(ClickError, match="refused by the test"):
        router.call(replace, loaded)
    assert programs(loaded.name) == before
    assert forwards(net.namespaces[1])
    assert counted(loaded) > 0
    assert not list(RunFolder.of(loaded.name).root.parent.glob(f"{loaded.name}+*"))


def test_runtime_that_does_not_start(net, router, loaded):
    before = programs(loaded.name)
    with pytest.raises(ClickError, match="refused by the test"):
        router.call(replace, changed(loaded, start=refuse))
    assert programs(loaded.name) == before


def test_devices_come_and_go(net, router, loaded):
    """The second device is another one in the new router: it gets the program, the old one loses it."""
    third = net.namespace("host3")
    net.veth(router, "eth2", third, "eth0")
    router.call(replace, changed(loaded, devices=router.call(resolve, ("eth0", "eth1.7"), (), {"eth1.7": "eth2"})))
    assert [p.name for p in Pins.of(loaded.name).links()] == ["eth0", "eth2"]
    assert "prog/xdp" in router.ip("-d", "link", "show", "eth2")
    assert "prog/xdp" not in router.ip("-d", "link", "show", "eth1.7")


def test_nothing_to_replace_and_then_itself(net, router, request_for, unchanged):
    with unchanged():
        for _ in range(2):
            router.call(replace, request_for())
            assert forwards(net.namespaces[1])
        router.call(unload, request_for().name, request_for().say)


def test_mode_is_not_changed_on_the_way(router, loaded):
    with pytest.raises(ClickError, match="attached in native mode"):
        router.call(replace, changed(loaded, mode="generic"))
