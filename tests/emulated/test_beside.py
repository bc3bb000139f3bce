"""`load --multi`: a router beside other XDP programs on a device, by libxdp's dispatcher."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import stat
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from tests.cli.conftest import OWN, clickbpf, execute, net, router  # noqa: F401

from clickbpf.build.bpf import build_program
from clickbpf.load.files import places

from .machine import LIBRARIES, Emulator, Image, Missing

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
CABLE = "FromDevice(eth0) -> c :: Counter -> q1 :: Queue -> ToDevice(eth1); FromDevice(eth1) -> q0 :: Queue -> ToDevice(eth0);"
OTHER = CABLE.replace("Counter", "Counter -> more :: Counter")
#: What the machine runs besides Python.
PROGRAMS = ("/usr/sbin/ip", "/usr/sbin/bpftool", "/usr/sbin/xdp-loader", "/usr/sbin/ethtool", "/usr/bin/ping", "/usr/bin/mount")
#: Libraries that are opened by name.
OPENED = ("libxdp.so.1", "libbpf.so.1", "libpcap.so.0.8", "libcrypto.so.3")
#: What the package imports of others.
PACKAGES = ("lark", "elftools", "pyroute2")
#: A start in eight hangs in the emulator; seconds for one.
STARTS, SECONDS = 3, 600
#: The environment variable with which such machines are started: that takes a minute, and more where others are busy.
ASKED_FOR = "CLICKBPF_EMULATED"


@pytest.mark.needs("root", "ip", "xdp-loader", "clang-19", "ethtool")
def test_a_kernel_without_dispatchers_is_an_error_and_nothing_stays(router, tmp_path):  # noqa: F811
    program = str(build_program(HERE / "counted.bpf.c"))
    router.run("xdp-loader", "load", "eth0", program)
    dispatched = "xdp_dispatcher" in router.run("xdp-loader", "status").stdout
    router.run("xdp-loader", "unload", "eth0", "--all")
    if dispatched:
        pytest.skip("this kernel has dispatchers")
    file = tmp_path / f"{OWN}.click"
    file.write_text(CABLE)
    done = execute(router, "load", "--multi", str(file))
    assert done.status == 1 and "this kernel can't run several XDP programs on a device" in done.err and "load without --multi" in done.err
    assert OWN not in places.loaded() and "xdp" not in router.ip("link")
    assert execute(router, "load", str(file)).status == 0, "the hook is free"


@pytest.mark.needs("root", "ip", "xdp-loader", "clang-19", "ethtool")
def test_a_program_that_does_not_share_is_an_error(router, tmp_path):  # noqa: F811
    file = tmp_path / f"{OWN}.click"
    file.write_text(CABLE)
    router.ip("link", "set", "dev", "eth1", "xdp", "obj", str(build_program(HERE / "counted.bpf.c")), "sec", "xdp")
    done = execute(router, "load", "--multi", str(file))
    assert done.status == 1 and "eth1 runs another XDP program" in done.err and "xdp-loader load" in done.err


def test_options_that_do_not_go_together(clickbpf, tmp_path):  # noqa: F811
    file = tmp_path / "r.click"
    file.write_text(CABLE)
    assert "give --multi as well" in clickbpf("load", "--priority", "3", str(file)).err
    assert "--multi is for XDP" in clickbpf("load", "--multi", "--hook", "tc", str(file)).err
    assert "--frags is for XDP" in clickbpf("load", "--frags", "--hook", "tc", str(file)).err
    assert clickbpf("load", "--multi", "--priority", "65536", str(file)).status == 2


def image(emulator: Emulator, objects: Mapping[str, bytes]) -> bytes:
    """The machine's file system: Python, this package, and the objects in /t."""
    made, python = Image(), Path(os.path.realpath(sys.executable))
    for folder in ("proc", "sys", "dev", "run", "tmp", "root", "var/tmp"):
        made.add(folder, stat.S_IFDIR | 0o755)
    for program in (*PROGRAMS, python, *(LIBRARIES / library for library in OPENED)):
        made.program(program)
    made.tree(LIBRARIES / "bpf", str(LIBRARIES / "bpf"))
    made.tree(Path(os.__file__).parent, os.path.dirname(os.__file__))
    for folder in ("gen", "bpf", "elements", "userspace"):
        made.tree(ROOT / folder, f"/p/{folder}")
    for module in emulator.modules("veth"):
        made.file(module, f"/t/{module.name}")
    for name, content in objects.items():
        made.add(f"/t/{name}", stat.S_IFREG | 0o644, content)
    made.file(HERE / "beside.py", "/t/beside.py")
    for package in PACKAGES:
        made.tree(Path(importlib.util.find_spec(package).origin).parent, f"/p/gen/{package}")
    made.program("/bin/sh")
    flags = [f"export {name}={shlex.quote(value)}" for name, value in os.environ.items() if name.endswith("CFLAGS")]  # the objects'
    lines = ("#!/bin/sh", *flags, f"PYTHONPATH=/p/gen exec {python} /t/beside.py", "")
    made.add("/init", stat.S_IFREG | 0o755, "\n".join(lines).encode())
    return made.bytes()


@pytest.fixture(scope="module")
def seen(tmp_path_factory) -> dict:
    """What beside.py saw."""
    emulator, folder = Emulator(), tmp_path_factory.mktemp("machine")
    objects = {"counted.o": build_program(HERE / "counted.bpf.c")}
    for name, text in (("router", CABLE), ("other", OTHER)):
        (folder / f"{name}.click").write_text(text)
        objects[f"{name}.o"] = folder / f"{name}.o"
        done = execute(None, "build", "-o", str(objects[f"{name}.o"]), str(folder / f"{name}.click"))
        assert done.status == 0, done.err
    try:
        made = image(emulator, {name: path.read_bytes() for name, path in objects.items()})
    except Missing as error:
        pytest.skip(str(error))
    for _ in range(STARTS):
        with suppress(subprocess.TimeoutExpired):
            printed = emulator.run(made, folder, SECONDS)
            found = re.search(r"^RESULT (.*)", printed, re.MULTILINE)
            assert found, printed
            result = json.loads(found[1])
            assert "error" not in result, result["error"]
            return result
    pytest.fail(f"the machine was not done in {SECONDS} seconds, {STARTS} times")


def members(status: str, device: str) -> list[tuple[int, str]]:
    """The priorities and names of a device's programs, as xdp-loader shows them."""
    (lines,) = re.findall(rf"^{device} .*\n((?: =>.*\n)*)", status, re.MULTILINE)
    return [(int(number), name) for number, name in re.findall(r"=>\s+(\d+)\s+(\S+)", lines)]


@pytest.mark.skipif(ASKED_FOR not in os.environ, reason=f"boots a machine in software with {ASKED_FOR}=1, as make emulated does")
@pytest.mark.needs("root", "clang-19", "xdp-loader", "apt-get", "dpkg-deb")
def test_a_router_beside_another_program(seen):
    """The program that counts is before the router, and goes on when it changes and when it is gone."""
    assert seen["alone"][0] == 1 and "--multi loads the router beside them" in seen["alone"][1]
    assert seen["load"][0] == 0, seen["load"]
    assert "native, multi" in seen["list"][1]
    loaded, replaced, unloaded = seen["loaded"], seen["replaced"], seen["unloaded"]
    assert members(loaded["status"], "eth0") == [(50, "count"), (60, "clickbpf_member")]
    assert members(loaded["status"], "eth1") == [(60, "clickbpf_member")]
    assert "5 received" in seen["pings"] and int(seen["read"][1]) >= 5
    assert loaded["counted"] >= 5
    assert seen["again"][0] == 1 and "eth0 is used by the router demo" in seen["again"][1]

    assert seen["replace"][0] == 0, seen["replace"]
    assert replaced["status"] == loaded["status"], "the dispatchers are the same ones"
    assert "5 received" in seen["pings again"] and int(seen["read again"][1]) >= 5
    assert replaced["counted"] >= loaded["counted"] + 5

    assert seen["unload"][0] == 0, seen["unload"]
    assert members(unloaded["status"], "eth0") == [(50, "count")] and "clickbpf" not in unloaded["status"]
    assert "0 received" in seen["pings at last"] and seen["counted at last"] > unloaded["counted"]
    assert not [path for path in seen["left"] if "clickbpf" in path]
