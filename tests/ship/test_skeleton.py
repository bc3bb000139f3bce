"""Headers for C programs: such a program, which includes nothing else, is compiled, started between hosts, and forwards."""

import errno
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.axes import axis, few
from tests.cli.conftest import clickbpf  # noqa: F401

from clickbpf.testing.netns import Namespace, Network
from clickbpf.testing.traffic import ping

#: eth0's frames go to both other devices (a set that copies leave by), theirs come back. The counter's class is in two places.
THREE = """
FromDevice(eth0) -> c :: Counter -> t :: Tee -> Queue -> ToDevice(eth1);
t[1] -> Queue -> ToDevice(eth2);
FromDevice(eth1) -> back :: Counter -> Queue -> to0 :: ToDevice(eth0);
FromDevice(eth2) -> Discard;
"""
#: Starts the router on the devices that it is given, says how that went, and at the end of its input what was counted.
PROGRAM = """
#include "three.skel.h"
#include <stdio.h>

int main(int argc, char **argv)
{
	const char *devices[three__DEVICES] = {};
	struct three *router = three__open();
	unsigned long long frames = 0;
	int err;

	for (int n = 1; n < argc && n <= three__DEVICES; n++)
		devices[n - 1] = argv[n];
	if (!router)
		return 1;
	err = three__start(router, devices);
	printf("%s\\n", strerror(-err));
	fflush(stdout);
	getchar();
	for (unsigned int n = 0; n < router->rodata->slots; n++)
		frames += router->data_counters->counters[n].e_c_counters.count;
	printf("%llu\\n", frames);
	three__destroy(router);
	return 0;
}
"""


@pytest.fixture(scope="module")
def net() -> Iterator[Network]:
    with Network() as network:
        box = network.namespace("router")
        for number in range(3):
            network.host(f"host{number}", box, f"eth{number}", f"10.0.0.{number + 1}/24")
        yield network


@pytest.fixture
def program(clickbpf, tmp_path) -> Callable[..., Path]:  # noqa: F811
    """Builds the header of a router, with these options, and the program with it, by that compiler."""

    def build(*options: str, compiler: str = "gcc") -> Path:
        (tmp_path / "three.click").write_text(THREE)
        done = clickbpf("build", "--skeleton", "three", *options, "-o", str(tmp_path / "three.skel.h"), str(tmp_path / "three.click"))
        assert (done.status, done.err) == (0, "")
        source = tmp_path / ("program.cc" if compiler == "g++" else "program.c")
        source.write_text(PROGRAM)
        line = [compiler, "-Wall", "-Wextra", "-Werror", "-O1", str(source), "-lbpf", "-o", str(tmp_path / "program")]
        done = subprocess.run(line, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return tmp_path / "program"

    return build


def start(box: Namespace, program: Path, *devices: str) -> tuple[subprocess.Popen, str]:
    """The program's process, and the first line that it prints."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    process = box.popen(str(program), *devices, text=True, **pipes)
    return process, process.stdout.readline().strip()


def attached(box: Namespace) -> list[str]:
    return [line for line in box.ip("-o", "link").splitlines() if "xdp" in line]


needs_all = pytest.mark.needs("root", "ip", "ethtool", "clang-19", "bpftool", "gcc", "ping")


@needs_all
@pytest.mark.parametrize("options", axis((), ("--chain",)), ids=["fused", "chained"])
def test_a_program_with_the_header_forwards(net, program, options):
    """Chained, each element is a program, reached by way of the map of jumps."""
    box, *hosts = net.namespaces
    process, said = start(box, program(*options), "eth0", "eth1", "eth2")
    assert said == os.strerror(0) and len(attached(box)) == 3
    before = received(hosts[2])
    assert ping(hosts[0], "10.0.0.2", 5) == 5
    assert received(hosts[2]) >= before + 5, "the copies"
    out, _ = process.communicate("\n", timeout=60)
    assert int(out) >= 5 and process.returncode == 0
    assert attached(box) == []


def received(host: Namespace) -> int:
    (device,) = json.loads(host.ip("-s", "-j", "link", "show", "dev", "eth0"))
    return device["stats64"]["rx"]["packets"]


@needs_all
@pytest.mark.parametrize("devices, error", [(("eth0", "eth1", "nowhere"), errno.ENODEV), (("eth0", "eth1", "eth1"), errno.EBUSY)])
def test_what_is_attached_in_part_is_detached(net, program, devices, error):
    box = net.namespaces[0]
    process, said = start(box, program(), *devices)
    assert said == os.strerror(error)
    assert attached(box) == []
    process.communicate("\n", timeout=60)


@pytest.mark.needs("clang-19", "bpftool", "g++")
def test_it_is_cplusplus_too(program):
    assert program(compiler="g++").exists()


@pytest.mark.needs("clang-19", "bpftool", "gcc")
@pytest.mark.parametrize("config", few(sorted((Path(__file__).parents[2] / "configs").glob("*.click")), 2), ids=lambda path: path.stem)
def test_headers_of_all_routers(clickbpf, tmp_path, config):  # noqa: F811
    """Those that have devices of their own, or nothing in the kernel, have none."""
    done = clickbpf("build", "--skeleton", "router", "-o", str(tmp_path / "router.h"), str(config))
    if done.status == 0:
        (tmp_path / "program.c").write_text('#include "router.h"\n')
        line = ["gcc", "-Wall", "-Werror", "-fsyntax-only", str(tmp_path / "program.c")]
        done = subprocess.run(line, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    else:
        assert config.stem != "iprouter", done.err
        assert "doesn't make the devices" in done.err or "nothing of this configuration runs in the kernel" in done.err


@pytest.mark.needs("clang-19")
def test_without_bpftool(clickbpf, monkeypatch):  # noqa: F811
    monkeypatch.setattr(shutil, "which", lambda name, path=None: None)
    done = clickbpf("build", "--skeleton", "router", "-e", "FromDevice(eth0) -> Discard")
    assert done.status == 1 and "hint: apt-get install bpftool" in done.err


@pytest.mark.parametrize("name", ["", "2d", "a b", "a;b", "ä"])
def test_names_that_c_does_not_have(clickbpf, name):  # noqa: F811
    done = clickbpf("build", "--skeleton", name, "-e", "FromDevice(eth0) -> Discard")
    assert done.status == 1 and f"'{name}' can't begin the names of a C header" in done.err
