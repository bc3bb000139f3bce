"""Names in file systems."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clickbpf.errors import ClickError
from clickbpf.load.files import places
from clickbpf.load.files.places import Pins, RunFolder, check_name, decode, encode
from clickbpf.load.kernel import bpffs
from clickbpf.load.life.unload import unload


@given(st.text())
def test_encoded_names_have_no_dots_and_come_back(name):
    assert "." not in encode(name)
    assert decode(encode(name)) == name


@given(st.text(), st.text())
def test_different_names_stay_different(one, other):
    assert (encode(one) == encode(other)) == (one == other)


@pytest.mark.parametrize("name", ["rt", "a.b-c_9", "0"])
def test_names_of_routers(name):
    assert check_name(name) == name


@pytest.mark.parametrize("name", ["", "a/b", "..", ".x", "a b", "a+new", "é", "x" * 65])
def test_names_that_no_router_can_have(name):
    for use in (check_name, RunFolder.of, Pins.of):
        with pytest.raises(ClickError, match="can't be a router's name"):
            use(name)


def test_no_name_leads_out_of_the_folder(tmp_path, monkeypatch):
    """Whatever the name, `unload` removes nothing beside the routers' folders."""
    monkeypatch.setattr(places, "RUN", tmp_path / "run")
    beside = tmp_path / "beside"
    beside.mkdir()
    with pytest.raises(ClickError, match="can't be a router's name"):
        unload("../beside")
    assert beside.is_dir()


def test_elements_of_compounds_are_folders():
    assert Pins(Path("/p")).state("a/b", "counters") == Path("/p/elements/a/b/counters")
    assert Pins(Path("/p")).link("eth0.7", "tohost") == Path("/p/links/eth0%2E7+tohost")


@pytest.mark.needs("root", "ip")
def test_bpffs_is_found_where_sys_is_hidden(router):
    """`ip netns exec` mounts a fresh /sys; the ancestors' bpffs is used then."""
    bpffs.root()
    script = "from clickbpf.load.kernel import bpffs; print(bpffs.mounted())"
    done = subprocess.run(
        ["ip", "netns", "exec", router.name, sys.executable, "-c", script],
        capture_output=True, text=True, env={"PYTHONPATH": ":".join(sys.path), "PATH": "/usr/sbin:/usr/bin"}
    )  # fmt: skip
    assert done.stdout.strip().endswith("/root/sys/fs/bpf"), done.stderr
