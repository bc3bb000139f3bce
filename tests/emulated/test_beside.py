"""`load --multi`: a router beside other XDP programs on a device, by libxdp's dispatcher."""

import re

import pytest
from tests.cli.conftest import OWN, clickbpf, execute, net, router  # noqa: F401

from clickbpf.build.bpf import build_program
from clickbpf.compile import Compilation, check_text
from clickbpf.load.files import places
from clickbpf.vocabulary.library import Library

from .started import HERE, asked_for, boot, carrier, needed

CABLE = "FromDevice(eth0) -> c :: Counter -> q1 :: Queue -> ToDevice(eth1); FromDevice(eth1) -> q0 :: Queue -> ToDevice(eth0);"
OTHER = CABLE.replace("Counter", "Counter -> more :: Counter")
#: It has a device more.
WIDER = OTHER + " FromDevice(eth2) -> new :: Counter -> Discard;"


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


@pytest.fixture(scope="module")
def seen(tmp_path_factory) -> dict:
    """What beside.py saw."""
    library = Library.standard()
    texts = {"router": CABLE, "other": OTHER, "wider": WIDER}
    files = {f"{name}.o": carrier(Compilation(check_text(text, library))) for name, text in texts.items()}
    files["counted.o"] = build_program(HERE / "counted.bpf.c").read_bytes()
    return boot("beside.py", tmp_path_factory.mktemp("machine"), files, ["veth"])


def members(status: str, device: str) -> list[tuple[int, str]]:
    """The priorities and names of a device's programs, as xdp-loader shows them."""
    (lines,) = re.findall(rf"^{device} .*\n((?: =>.*\n)*)", status, re.MULTILINE)
    return [(int(number), name) for number, name in re.findall(r"=>\s+(\d+)\s+(\S+)", lines)]


@asked_for
@needed
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

    widened, narrowed = seen["widened"], seen["narrowed"]
    assert seen["wider"][0] == 0 and seen["narrower"][0] == 0, (seen["wider"], seen["narrower"])
    assert members(widened["status"], "eth2") == [(60, "clickbpf_member")], "the priority of the others"
    assert members(widened["status"], "eth0") == members(narrowed["status"], "eth0") == members(loaded["status"], "eth0")
    assert int(seen["read new"][1]) >= 1 and "5 received" in seen["pings meanwhile"]
    assert narrowed["status"] == replaced["status"] and "5 received" in seen["pings then"]

    assert seen["unload"][0] == 0, seen["unload"]
    assert members(unloaded["status"], "eth0") == [(50, "count")] and "clickbpf" not in unloaded["status"]
    assert "0 received" in seen["pings at last"] and seen["counted at last"] > unloaded["counted"]
    assert not [path for path in seen["left"] if "clickbpf" in path]
