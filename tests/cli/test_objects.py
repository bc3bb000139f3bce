"""Objects of `build` loaded where they were not built, and where there is no compiler."""

import os
import shutil
import sys

import pytest

from clickbpf.load.files.places import RunFolder

from .conftest import OWN, command, environment, execute, give_library
from .test_load import forwards

pytestmark = pytest.mark.needs("root", "ip", "clang-19")

#: Counts in the kernel; ARP is forwarded by the runtime.
CABLE = """
FromDevice(eth0) -> c :: Counter -> k :: Classifier(12/0806, -);
k[0] -> arp :: Counter -> q :: Queue; k[1] -> q -> ToDevice(eth1);
FromDevice(eth1) -> Queue -> ToDevice(eth0);
t :: Idle -> ToHost;
"""
COMPILERS = ("clang", "gcc", "cc", "ld", "as")


@pytest.fixture
def bare(tmp_path) -> dict[str, str]:
    """The environment of a machine without compilers, on which nothing was compiled yet."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for folder in os.environ["PATH"].split(":"):
        for program in os.scandir(folder) if os.path.isdir(folder) else ():
            if not program.name.startswith(COMPILERS) and not (programs / program.name).exists():
                (programs / program.name).symlink_to(program.path)
    return {**environment(), "PATH": str(programs), "CLICKBPF_CACHE": str(tmp_path / "cache")}


@pytest.fixture
def built(tmp_path, cable):
    cable.write_text(CABLE)
    made = tmp_path / f"{OWN}.o"
    done = execute(None, "build", "--user", "arp", "-o", str(made), str(cable))
    assert done.status == 0, done.err
    cable.unlink()
    return made


def load(router, bare, *words):
    return router.run(*command("load", *words), env=bare, check=False)


def test_without_a_compiler(net, router, built, bare):
    done = load(router, bare, str(built))
    assert done.returncode == 0, done.stderr
    assert forwards(net)
    assert int(execute(None, "read", "-r", OWN, "arp.count").out) > 0
    done = load(router, bare, "--replace", str(built))
    assert done.returncode == 0, done.stderr
    assert forwards(net)
    assert execute(router, "unload", OWN).status == 0 and not RunFolder.of(OWN).exists()


@pytest.mark.whole
def test_by_another_checkout(net, router, built, bare, tmp_path):
    """What is compiled is the same wherever the library's files are."""
    root = tmp_path / "elsewhere"
    for folder in ("gen", "elements", "bpf", "userspace"):
        shutil.copytree(os.path.join(os.path.dirname(__file__), "..", "..", folder), root / folder)
    bare["PYTHONPATH"] = os.pathsep.join([str(root / "gen"), *sys.path])
    done = load(router, bare, str(built))
    assert done.returncode == 0, done.stderr
    assert forwards(net)


@pytest.mark.whole
def test_on_other_devices(net, router, built, bare):
    router.ip("link", "set", "eth0", "down")
    router.ip("link", "set", "eth0", "name", "outside")
    router.ip("link", "set", "outside", "up")
    done = load(router, bare, str(built), "eth0=outsdie")
    assert done.returncode == 1 and "there is no network device outsdie" in done.stderr
    done = load(router, bare, str(built), "ETH0=outside")
    assert done.returncode == 1 and "the object has no device ETH0\nhint: did you mean 'eth0'?" in done.stderr
    done = load(router, bare, str(built), "eth0=outside")
    assert done.returncode == 0, done.stderr
    assert forwards(net)


@pytest.mark.whole
def test_what_is_cached_needs_no_compiler(net, router, cable, bare, tmp_path):
    give_library(tmp_path / "cache")
    with_compiler = {**bare, "PATH": os.environ["PATH"]}
    assert load(router, with_compiler, str(cable)).returncode == 0
    assert execute(router, "unload", OWN).status == 0
    done = load(router, bare, str(cable))
    assert done.returncode == 0, done.stderr
    assert forwards(net)
    assert execute(router, "unload", OWN).status == 0
    cable.write_text(cable.read_text().replace("c :: Counter", "c :: Counter -> Paint(3)"))
    done = load(router, bare, str(cable))
    assert done.returncode == 1 and "no clang found" in done.stderr


@pytest.mark.whole
def test_another_configuration_of_addresses_does_not_fit(router, bare, tmp_path):
    """The address of eth0 is a constant in the object; here it is another."""
    router.address("eth0", "10.0.0.7/24")
    made = tmp_path / f"{OWN}.o"
    config = "FromDevice(eth0) -> IPEncap(17, eth0:ip, 10.0.0.9) -> Discard;"
    assert execute(router, "build", "-o", str(made), "-e", config).status == 0
    router.run("ip", "address", "flush", "dev", "eth0")
    router.address("eth0", "10.0.0.8/24")
    done = load(router, bare, str(made))
    assert done.returncode == 1 and "does not fit this machine" in done.stderr and "hint: build it here" in done.stderr


def test_options_that_come_too_late(router, built, bare):
    done = load(router, bare, str(built), "--chain")
    assert done.returncode == 1 and "is already compiled: --chain has no effect" in done.stderr


def test_an_object_of_somebody_else(router, bare):
    done = load(router, bare, shutil.which("true"))
    assert done.returncode == 1 and done.stderr.startswith(f"error: {shutil.which('true')} has no section .clickbpf\n")
