"""A router beside other XDP programs, as far as any kernel goes; tests/emulated boots one that has dispatchers."""

import errno
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.cli.conftest import OWN, execute, net, router  # noqa: F401
from tests.waiting import eventually

from clickbpf import private
from clickbpf.compile import helper_object
from clickbpf.errors import ClickError
from clickbpf.load.access.listing import describe
from clickbpf.load.devices import diagnose, member
from clickbpf.load.devices.attachments import pinned
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.links import attach_xdp, attached_xdp
from clickbpf.load.files import places
from clickbpf.load.kernel import bpffs, libxdp
from clickbpf.load.kernel.fds import Program
from clickbpf.load.kernel.libbpf import BpfError
from clickbpf.load.kernel.objects import Object
from clickbpf.load.path import attach


def test_dispatchers_are_found_where_this_process_sees_their_pins(monkeypatch, tmp_path):
    """`ip netns exec` hides /sys/fs/bpf."""
    seen = []

    def nothing(ifindex: int) -> int:
        seen.append(os.environ["LIBXDP_BPFFS"])
        return (1 << 64) - errno.ENOENT

    monkeypatch.setenv("LIBXDP_BPFFS", "/nowhere")
    monkeypatch.setattr(libxdp, "xdp", SimpleNamespace(xdp_multiprog__get_from_ifindex=nothing))
    monkeypatch.setattr(libxdp.bpffs, "mounted", lambda: tmp_path)
    assert not libxdp.shared(1)
    assert seen == [str(tmp_path)]


@pytest.mark.parametrize("mode, other", [("native", "generic"), ("generic", "native")])
def test_programs_in_another_mode_are_an_error_with_its_cure(monkeypatch, tmp_path, mode, other):
    """The kernel has one mode for each device, and libxdp gives up after some attempts."""

    def refuse(*_):
        raise BpfError("attaching", errno.EBUSY)

    monkeypatch.setattr(attach, "attach_member", refuse)
    monkeypatch.setattr(diagnose, "shared", lambda ifindex: True)
    device = Device("eth0", "eth0", 7, bytes(6), 1500, "", 1, True)
    with pytest.raises(ClickError, match=f"eth0 aren't in {mode} mode") as refused:
        attach.attach_all([(device, None)], mode, ExitStack(), places.Pins(tmp_path), print, priority=50)
    assert f"--mode {other}" in refused.value.diagnostics[0].hint


@pytest.mark.needs("root", "ip", "clang-19", "ethtool")
def test_the_priority_stays_when_a_router_is_replaced(router, tmp_path):  # noqa: F811
    """The record says that it is beside others."""
    file = tmp_path / f"{OWN}.click"
    file.write_text("FromDevice(eth0) -> Discard;")
    assert execute(router, "load", str(file)).status == 0
    record = places.RunFolder.of(OWN).record
    private.write(record, json.dumps({**json.loads(record.read_text()), "priority": 60}).encode())
    done = execute(router, "load", "--replace", "--multi", "--priority", "5", str(file))
    assert done.status == 1 and "has the priority 60" in done.err and "--priority 60" in done.err
    file.write_text("FromDevice(eth0) -> Discard; FromDevice(eth1) -> Discard;")
    done = execute(router, "load", "--replace", "--dry-run", str(file))
    assert done.status == 0 and "eth1: a program is attached in native mode, beside others" in done.out


@pytest.fixture
def pins() -> Iterator[places.Pins]:
    """A router's, in the machine's BPF file system, without a router."""
    made = places.Pins(bpffs.root() / OWN)
    (made.root / "links").mkdir(parents=True)
    yield made
    shutil.rmtree(made.root)


def join(pin: Path, ifindex: int) -> None:
    """Attach the program of a member, which is alone on its device where the kernel has no dispatchers, and pin its map."""
    with libxdp.member_map(ifindex) as jump:
        jump.pin(pin)
        libxdp.join(helper_object("member").read_bytes(), jump, ifindex, "native", 50)


def device_of(pin: Path) -> int:
    with pinned(pin) as held:
        return held.info().ifindex


@pytest.mark.needs("root", "ip", "clang-19", "xdp-loader")
def test_a_member_is_on_its_device_until_it_is_taken_away(router, pins):  # noqa: F811
    """By its own router, somebody else, or with the device; and seen from where the device is."""
    kept, taken, gone = (pins.link(device) for device in ("kept", "taken", "gone"))
    for number, pin in ((0, taken), (1, gone)):
        router.call(join, pin, router.ifindex(f"eth{number}"))
    assert router.call(device_of, taken) == router.ifindex("eth0") and router.call(device_of, gone) == router.ifindex("eth1")
    router.run("xdp-loader", "unload", "eth0", "--all")
    assert router.call(device_of, taken) == 0
    router.ip("link", "delete", "eth1")
    assert router.call(device_of, gone) == 0
    router.call(join, kept, router.ifindex("eth0"))
    assert router.call(device_of, kept) == router.ifindex("eth0")
    router.call(attach.detach_all, pins)
    assert router.call(device_of, kept) == 0 and router.call(attached_xdp, router.ifindex("eth0")) == 0


@pytest.mark.needs("root", "ip", "clang-19", "ethtool", "xdp-loader")
def test_list_sees_members_in_the_namespace_of_their_devices(router, tmp_path):  # noqa: F811
    file = tmp_path / f"{OWN}.click"
    file.write_text("FromDevice(eth0) -> Discard; FromDevice(eth1) -> Discard;")
    assert execute(router, "load", str(file)).status == 0
    record = places.RunFolder.of(OWN).record
    private.write(record, json.dumps({**json.loads(record.read_text()), "priority": 60}).encode())
    for device in ("eth0", "eth1"):
        pin = places.Pins.of(OWN).link(device)
        pin.unlink()
        eventually(lambda device=device: not router.call(attached_xdp, router.ifindex(device)))
        router.call(join, pin, router.ifindex(device))
    assert {each.device: each.attached for each in describe(OWN).attachments} == {"eth0": True, "eth1": True}
    router.ip("link", "delete", "eth1")
    assert {each.device: each.attached for each in describe(OWN).attachments} == {"eth0": True, "eth1": False}
    done = execute(None, "unload", OWN)
    assert done.status == 0 and not router.call(attached_xdp, router.ifindex("eth0"))


@pytest.mark.needs("root", "ip", "clang-19")
def test_what_cannot_be_detached_is_reported_after_the_others(router, pins, monkeypatch):  # noqa: F811
    with libxdp.member_map(router.ifindex("eth0")) as jump:
        jump.pin(pins.link("eth0"))
    program = router.call(member_program)
    with router.call(attach_xdp, program, router.ifindex("eth1"), "native") as link:
        link.pin(pins.link("eth1"))

    def refuse(jump, ifindex):
        raise BpfError("detaching a program from beside others", errno.EBUSY)

    monkeypatch.setattr(libxdp, "leave", refuse)
    with pytest.raises(ClickError, match="the program on eth0 can't be removed from beside the others") as refused:
        router.call(attach.detach_all, pins)
    (only,) = refused.value.diagnostics
    assert "EBUSY" in only.message and "xdp-loader unload eth0 --id" in only.hint
    assert not router.call(attached_xdp, router.ifindex("eth1"))


def member_program() -> Program:
    """The kernel's program of a member that jumps nowhere."""
    with Object(helper_object("member").read_bytes(), "member") as made:
        made.load()
        return made.program("clickbpf_member")


@pytest.mark.needs("root", "ip", "xdp-loader", "clang-19", "ethtool")
def test_a_missing_dispatcher_is_an_error_with_its_cure(router, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.setenv("LIBXDP_OBJECT_PATH", str(tmp_path))
    done = execute(router, "load", "--multi", "-n", OWN, "-e", "FromDevice(eth0) -> Discard")
    assert done.status == 1 and "libxdp can't find its dispatcher, xdp-dispatcher.o" in done.err and "libxdp1" in done.err
    assert "freplace" not in done.err and OWN not in places.loaded()


@pytest.mark.parametrize(
    "said, reported",
    [
        ("libxdp: Compatibility check for dispatcher program failed: Operation not permitted", r"freplace\): Operation not permitted"),
        ("libxdp: Can't use dispatcher without a working bpffs", "no dispatcher.*\n.*without a working bpffs"),
    ],
)
@pytest.mark.needs("root", "clang-19")
def test_the_reason_is_what_libxdp_says(pins, monkeypatch, said, reported):
    monkeypatch.setattr(libxdp, "join", lambda *_: said)
    monkeypatch.setattr(libxdp, "shared", lambda ifindex: False)
    with pytest.raises(ClickError, match=reported):
        member.attach_member(member_program(), 1, "native", 50, pins.link("lo"))
    assert pins.links() == (), "nothing is left"
