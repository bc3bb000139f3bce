"""Objects of `clickbpf build` in the hands of others' loaders: ip, bpftool, xdp-loader."""

from collections.abc import Callable
from pathlib import Path

import pytest

from clickbpf.build.bpf import build_bpf
from clickbpf.compile import Compilation, check_text
from clickbpf.testing.netns import Namespace
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root", "ip", "bpftool", "xdp-loader")

PROGRAM = "xdp_eth0"
#: The router keeps all packets for itself, so that a host behind it falls silent.
KEEPS_ALL = "FromDevice(eth0) -> Counter -> Discard;"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    compilation = Compilation(check_text(KEEPS_ALL, Library.standard()))
    path = tmp_path / "router.o"
    path.write_bytes(build_bpf(compilation.bpf_text, compilation.manifest).read_bytes())
    return path


def by_ip(inside: Callable, built: Path, _pins: Path) -> Callable:
    inside("ip", "link", "set", "dev", "eth0", "xdp", "obj", str(built), "section", "xdp", "program", PROGRAM)
    return lambda: inside("ip", "link", "set", "dev", "eth0", "xdp", "off")


def by_bpftool(inside: Callable, built: Path, pins: Path) -> Callable:
    inside("bpftool", "prog", "loadall", str(built), str(pins))
    inside("bpftool", "net", "attach", "xdp", "pinned", str(pins / PROGRAM), "dev", "eth0")
    return lambda: inside("bpftool", "net", "detach", "xdp", "dev", "eth0")


def by_xdp_loader(inside: Callable, built: Path, _pins: Path) -> Callable:
    inside("xdp-loader", "load", "-n", PROGRAM, "eth0", str(built))
    return lambda: inside("xdp-loader", "unload", "--all", "eth0")


@pytest.mark.parametrize("load", [by_ip, by_bpftool, by_xdp_loader])
def test_the_router_runs_where_another_loads_it(net, load, built, pins):
    router, host = net.namespace("router"), net.namespace("host")
    net.veth(router, "eth0", host, "eth0")
    router.address("eth0", "10.0.0.1/24")
    host.address("eth0", "10.0.0.2/24")
    assert answered(host)
    unload = load(router.run, built, pins)
    assert not answered(host)
    unload()
    assert answered(host)


def answered(host: Namespace) -> bool:
    return host.run("ping", "-c1", "-W1", "10.0.0.1", check=False).returncode == 0
