"""Loading onto real devices: what exists while a router is loaded, and that nothing is left of it afterwards."""

import errno
import os
import struct
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.axes import axis
from tests.load.conftest import CABLE, MANIFEST, build
from tests.load.tagging import TAG, tag_what_is_sent
from tests.waiting import eventually

from clickbpf.errors import ClickError
from clickbpf.load.devices import frames, need, veth
from clickbpf.load.devices.devices import resolve
from clickbpf.load.files import places
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.kernel import features
from clickbpf.load.kernel.fds import Map
from clickbpf.load.life import loader
from clickbpf.load.life.loader import load
from clickbpf.load.life.preview import preview
from clickbpf.load.life.unload import unload
from clickbpf.load.path import attach
from clickbpf.testing.traffic import RawPort, ping

pytestmark = pytest.mark.needs("root", "ip", "tc", "ethtool", "clang-19")


@contextmanager
def loaded(router, request):
    """Load in the router's namespace, and unload whatever happens."""
    router.call(load, request)
    try:
        yield
    finally:
        router.call(unload, request.name, request.say)


def host(net, number):
    return net.namespaces[number]


def forwards(net, **options):
    return ping(host(net, 1), "10.0.0.2", 2, **options) == 2


SERVER = """
import socket
server = socket.create_server(("10.0.0.2", 5000))
print("ready", flush=True)
connection, _ = server.accept()
connection.sendall(bytes(1000000))
"""
CLIENT = """
import socket
connection = socket.create_connection(("10.0.0.2", 5000), 5)
print(sum(iter(lambda: len(connection.recv(65536)), 0)))
"""


class TestLoad:
    def test_forwards_then_leaves_nothing(self, net, router, request_for, unchanged):
        assert not forwards(net, wait=0.3)
        with unchanged(), loaded(router, request_for()):
            assert forwards(net)
        assert not forwards(net, wait=0.3)

    def test_what_there_is_of_a_loaded_router(self, own, net, router, request_for):
        """Its pins, as documented, and its state: a slot for each CPU and thread, with what was forwarded."""
        request, possible = request_for(threads=3), Path("/sys/devices/system/cpu/possible").read_text().strip().split("-")
        pins = Pins.of(request.name)
        with loaded(router, request):
            assert pins.root.name == f"test%2E{own}"
            assert {str(path.relative_to(pins.root)) for path in pins.root.rglob("*") if not path.is_dir()} == {
                *("links/eth0", "links/eth1%2E7", f"progs/{own}_a", f"progs/{own}_b"),
                *(f"maps/{own}_c", f"maps/{own}_tx", "elements/in/side/counters"),
            }
            host(net, 1).run("ping", "-c3", "-i0.1", "10.0.0.2")
            with Map.pinned(pins.state("in/side", "counters")) as counters:
                assert counters.info().max_entries == int(possible[-1]) + 1 + 3
                total = sum(struct.unpack_from("=Q", counters.lookup(key))[0] for key in counters)
        assert total >= 8, "three requests, three replies, and at least one ARP exchange"

    @pytest.mark.parametrize("mode", axis("native", "generic"))
    def test_tcp_with_offloads_as_linux_sets_them(self, net, router, request_for, mode):
        """A megabyte, so that segments are many and large: what the far ends offload would show."""
        with loaded(router, request_for(mode=mode)):
            server = host(net, 2).popen(sys.executable, "-c", SERVER, stdout=subprocess.PIPE, text=True)
            assert server.stdout.readline() == "ready\n"
            assert host(net, 1).run(sys.executable, "-c", CLIENT).stdout == "1000000\n"
            assert server.wait(60) == 0


def refuse(*arguments, **keywords):
    raise ClickError("refused by the test")


class TestFailures:
    @pytest.mark.parametrize(
        "module, step",
        [
            (loader, "write_files"),
            (loader, "load_kernel"),
            (loader.KernelPath, "pin"),
            (attach, "pin_all"),
            (veth.FarEnds, "wanted"),
        ],
    )
    def test_any_step_that_fails_leaves_nothing(self, monkeypatch, router, request_for, unchanged, module, step):
        monkeypatch.setattr(module, step, refuse)
        with unchanged(), pytest.raises(ClickError, match="refused by the test"):
            router.call(load, request_for())

    def test_runtime_that_does_not_start(self, router, request_for, unchanged):
        with unchanged(), pytest.raises(ClickError, match="refused by the test"):
            router.call(load, request_for(start=refuse))

    def test_second_load_under_the_name(self, net, router, request_for):
        with loaded(router, request_for()):
            with pytest.raises(ClickError) as caught:
                router.call(load, request_for())
            assert "--replace" in caught.value.diagnostics[0].hint
            assert eventually(lambda: forwards(net))

    def test_device_of_another_router(self, own, net, router, request_for, unchanged):
        with loaded(router, request_for()), unchanged(), pytest.raises(ClickError, match=f"eth0 is used by the router test.{own}"):
            router.call(load, request_for(name=f"{own}-other"))

    def test_second_device_busy_with_a_foreign_program(self, net, router, request_for, unchanged, content, tmp_path):
        (tmp_path / "foreign.o").write_bytes(content)
        router.ip("link", "set", "eth1.7", "xdpdrv", "obj", str(tmp_path / "foreign.o"), "sec", "xdp")
        with unchanged(), pytest.raises(ClickError, match=r"eth1\.7 runs another XDP program already \(id \d+\)"):
            router.call(load, request_for())

    def test_mtu_too_big_for_native_mode(self, net, router, request_for, unchanged):
        host(net, 1).ip("link", "set", "eth0", "mtu", "9000")
        router.ip("link", "set", "eth0", "mtu", "9000")
        with unchanged(), pytest.raises(ClickError, match="MTU of eth0, 9000, is too big for native XDP") as caught:
            router.call(load, request_for())
        assert "mtu 3498" in caught.value.diagnostics[0].hint

    def test_without_privileges(self, tmp_path):
        script = (
            "from clickbpf.load.devices.diagnose import check_privileges\n"
            "from clickbpf.errors import ClickError\n"
            "try: check_privileges()\n"
            "except ClickError as error: print(error)\n"
        )
        done = subprocess.run(
            ["setpriv", "--reuid=65534", "--bounding-set=-all", "--inh-caps=-all", "--", sys.executable, "-c", script],
            capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        )  # fmt: skip
        assert "CAP_NET_ADMIN, CAP_NET_RAW, CAP_PERFMON, CAP_BPF" in done.stdout


class TestModes:
    @pytest.fixture
    def bridge(self, net, router):
        """eth0, and in the place of the other device a bridge, whose driver has no native XDP."""
        router.ip("link", "add", "br0", "type", "bridge")
        router.ip("link", "set", "br0", "up")
        return router.call(resolve, ("eth0", "eth1.7"), (), {"eth1.7": "br0"})

    def test_a_bridge_has_no_native_mode(self, router, bridge, request_for):
        with pytest.raises(ClickError, match="the driver of br0 .* has no native XDP"):
            router.call(load, request_for(devices=bridge, mode="native"))
        said = []
        with loaded(router, request_for(devices=bridge, say=said.append)):
            assert router.ip("link", "show", "eth0").count("xdpgeneric") == 1
        assert said[0].startswith("br0 (the configuration's eth1.7) takes no frames from native XDP: generic mode")

    def test_older_kernels_are_found_out_by_trying(self, monkeypatch, router, bridge, request_for):
        """They don't tell features."""
        monkeypatch.setattr(features, "xdp_features", lambda ifindex: None)
        said = []
        with loaded(router, request_for(devices=bridge, say=said.append)):
            assert router.ip("link", "show", "br0").count("xdpgeneric") == 1
        assert any("has no native XDP: generic mode on all devices" in text for text in said)

    @pytest.mark.parametrize(
        "asked, then, mode",
        [("auto", features.BASIC, "xdpgeneric"), ("native", features.BASIC, "xdp"), ("auto", features.BASIC | features.TRANSMIT, "xdp")],
    )
    def test_drivers_are_asked_for_frames_once_there_is_a_program(self, monkeypatch, net, router, request_for, asked, then, mode):
        """virtio_net, ice and others do from then on."""
        router.ip("tuntap", "add", "dev", "tap0", "mode", "tap")
        router.ip("link", "set", "tap0", "up")
        devices = router.call(resolve, ("eth0", "eth1.7"), (), {"eth1.7": "tap0"})
        before = features.BASIC
        monkeypatch.setattr(features, "xdp_features", lambda _: then if "prog/xdp" in router.ip("link", "show", "tap0") else before)
        said = []
        with loaded(router, request_for(devices=devices, mode=asked, say=said.append)):
            assert router.ip("link", "show", "eth0").count(f" {mode} qdisc") == 1
        assert any("tap0" in text and "takes no frames from native XDP" in text for text in said) == (then == features.BASIC)


class TestVeth:
    def test_says_what_it_switches_and_puts_it_back(self, net, router, request_for):
        said = []
        would = router.call(lambda: list(preview(request_for(), False)))
        with loaded(router, request_for(say=said.append)):
            offloads = host(net, 1).run("ethtool", "-k", "eth0").stdout
            assert "generic-receive-offload: on" in offloads and "tx-checksumming: off" in offloads
            switched = [line.replace(" is switched", "") for line in would if " is switched " in line]
            assert said == [f"{line}, until the router is unloaded" for line in switched]
        name = host(net, 1).name
        assert f"eth0: gro on at the other end, eth0 in {name}, until the router is unloaded" in said

    def test_only_advice_when_told_so(self, net, router, request_for):
        said = []
        with loaded(router, request_for(fix_veth=False, say=said.append)):
            offloads = host(net, 1).run("ethtool", "-k", "eth0").stdout
            assert "generic-receive-offload: off" in offloads and "tx-checksumming: on" in offloads
        assert any(f"ip netns exec {host(net, 1).name} ethtool -K eth0 gro on tx off txvlan off" in line for line in said)


#: What a frame has to have for the cable to forward it.
TAGGED = """	const unsigned short *type = (void *)(long)ctx->data + 12;

	if ((void *)(type + 1) > (void *)(long)ctx->data_end || *type != __builtin_bswap16(0x8100))
		return XDP_DROP;
"""


class TestVlan:
    @pytest.mark.parametrize("mode", axis("native", "generic"))
    def test_tags_in_metadata_come_into_the_frame(self, net, router, request_for, tmp_path, mode):
        tag_what_is_sent(host(net, 1), "eth0", tmp_path)
        cable = CABLE.replace("forward(__u32 to)", "forward(struct xdp_md *ctx, __u32 to)").replace("forward(1)", "forward(ctx, 1)")
        cable = cable.replace("forward(0)", "forward(ctx, 0)").replace(";\n\n\tif (c)", ";\n" + TAGGED + "\n\tif (c)")
        assert cable.count(TAGGED) == 1
        frame = bytes.fromhex("020000000002020000000001") + b"\x90\x00" + bytes(46)
        said = []
        request = request_for(content=build(cable, MANIFEST), mode=mode, say=said.append)
        ends = (RawPort(host(net, number), "eth0") for number in (1, 2))
        with loaded(router, request), next(ends) as one, next(ends) as other:
            one.send(frame)
            assert other.receive(60) == frame[:12] + TAG + frame[12:]
        assert "eth0: rxvlan off, until the router is unloaded" in said

    def test_what_can_not_be_switched_is_told(self, monkeypatch, router):
        def refuse(device, features):
            raise OSError(errno.EINVAL, "Invalid argument")

        monkeypatch.setattr(need, "switch", refuse)
        said = []
        device = router.call(resolve, ("eth0",))[0]
        (wanted,) = router.call(lambda: list(frames.TagsInFrames().wanted(None, device, "native")))
        assert router.call(lambda: list(wanted.switched(True, said.append))) == []
        assert said == ["eth0 removes VLAN tags from frames, so the router doesn't see them: ethtool -K eth0 rxvlan off"]


def filters(router):
    return router.run("tc", "filter", "show", "dev", "eth0", "egress").stdout


class TestUnload:
    def test_of_nothing(self):
        with pytest.raises(ClickError, match="no router named nosuch is loaded"):
            unload("nosuch")

    def test_after_the_folder_is_lost(self, router, request_for, unchanged):
        request = request_for(fix_veth=False)
        with unchanged():
            router.call(load, request)
            RunFolder.of(request.name).remove()
            assert request.name in places.loaded()
            unload(request.name, request.say)

    def test_from_another_namespace(self, router, request_for, unchanged):
        request = request_for(mode="generic")
        request = replace(request, manifest=replace(request.manifest, tohost_devices=("eth0",)))
        with unchanged():
            router.call(load, request)
            assert "tohost" in filters(router)
            unload(request.name, request.say)
        assert "tohost" not in filters(router)

    def test_after_a_device_is_gone(self, net, router, request_for):
        request = request_for()
        router.call(load, request)
        router.ip("link", "delete", "eth0")
        unload(request.name, request.say)
        assert not Pins.of(request.name).exists() and not RunFolder.of(request.name).exists()
