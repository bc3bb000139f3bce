"""A router beside other XDP programs, as far as any kernel goes; tests/emulated boots one that has dispatchers."""

from __future__ import annotations

import errno
import json
import os
from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from tests.cli.conftest import OWN, execute, net, router  # noqa: F401

from clickbpf import private
from clickbpf.errors import ClickError
from clickbpf.load.devices import diagnose
from clickbpf.load.devices.devices import Device
from clickbpf.load.files import places
from clickbpf.load.kernel import libxdp
from clickbpf.load.kernel.libbpf import BpfError
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
