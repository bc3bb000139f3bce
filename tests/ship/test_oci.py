"""Images for bpfman, read back by umoci, which was written from the same specification."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import clickbpf  # noqa: F401

from clickbpf.compile import Compilation
from clickbpf.graph.check import check as checked
from clickbpf.graph.elaborate import read_text
from clickbpf.load.kernel.objects import Object
from clickbpf.objects.manifest import Manifest
from clickbpf.ship import bpfman
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("clang-19")

CABLE = "FromDevice(eth0) -> c :: Counter -> Queue -> ToDevice(eth1); FromDevice(eth1) -> Queue -> ToDevice(eth0);"
IMAGE = "registry.example/routers/cable:1"


def umoci(*words: str) -> str:
    done = subprocess.run(["umoci", *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def blob(image: Path, descriptor: dict) -> dict:
    return json.loads((image / "blobs/sha256" / descriptor["digest"].removeprefix("sha256:")).read_text())


@pytest.fixture
def image(clickbpf, tmp_path) -> Path:  # noqa: F811
    (tmp_path / "Two Ports.click").write_text(CABLE)
    done = clickbpf("build", "--oci", str(tmp_path / "image"), str(tmp_path / "Two Ports.click"))
    assert (done.status, done.err) == (0, "")
    return tmp_path / "image"


@pytest.mark.needs("umoci")
def test_another_implementation_unpacks_the_object(image, tmp_path):
    told = json.loads(umoci("stat", "--image", f"{image}:latest", "--json"))
    assert len([each for each in told["history"] if each["layer"]]) == 1
    umoci("raw", "unpack", "--rootless", "--image", f"{image}:latest", str(tmp_path / "root"))
    (file,) = [each for each in (tmp_path / "root").rglob("*") if each.is_file()]
    content = file.read_bytes()
    assert file.parent == tmp_path / "root" and Manifest.from_object(content).devices == ("eth0", "eth1")
    with Object(content) as opened:
        assert set(opened.programs) == {"xdp_eth0", "xdp_eth1"}


@pytest.mark.needs("umoci")
@pytest.mark.parametrize("name", ["x" * 249, "Größe" * 30])
def test_the_object_keeps_its_name_however_long_it_is(clickbpf, tmp_path, name):  # noqa: F811
    """A file's name has up to 255 bytes; the oldest form of tar archives has room for 100."""
    (tmp_path / f"{name}.click").write_text(CABLE)
    done = clickbpf("build", "--oci", str(tmp_path / "image"), str(tmp_path / f"{name}.click"))
    assert (done.status, done.err) == (0, "")
    umoci("raw", "unpack", "--rootless", "--image", f"{tmp_path / 'image'}:latest", str(tmp_path / "root"))
    assert [each.name for each in (tmp_path / "root").rglob("*") if each.is_file()] == [f"{name}.o"]


def test_names_that_are_no_text_are_refused(clickbpf, tmp_path):  # noqa: F811
    file = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.click")
    Path(file).write_text(CABLE)
    done = clickbpf("build", "--oci", str(tmp_path / "image"), file)
    assert done.status == 1 and "is not UTF-8" in done.err and not (tmp_path / "image").exists()


def test_the_labels_are_what_bpfman_reads(image):
    (entry,) = json.loads((image / "index.json").read_text())["manifests"]
    manifest = blob(image, entry)
    (layer,) = manifest["layers"]
    assert layer["mediaType"] == "application/vnd.oci.image.layer.v1.tar+gzip"
    labels = blob(image, manifest["config"])["config"]["Labels"]
    assert json.loads(labels["io.ebpf.programs"]) == {"xdp_eth0": "xdp", "xdp_eth1": "xdp"}
    maps = json.loads(labels["io.ebpf.maps"])
    assert (maps["tx"], maps["xsks"], maps[".rodata"]) == ("devmap", "xskmap", "array")


def test_equal_routers_are_equal_images(clickbpf, image, tmp_path):  # noqa: F811
    assert clickbpf("build", "--oci", str(tmp_path / "again"), str(tmp_path / "Two Ports.click")).status == 0
    files = {path.relative_to(image): path.read_bytes() for path in image.rglob("*") if path.is_file()}
    assert len(files) == 5
    assert files == {p.relative_to(tmp_path / "again"): p.read_bytes() for p in (tmp_path / "again").rglob("*") if p.is_file()}


def test_nothing_is_overwritten(clickbpf, image, tmp_path):  # noqa: F811
    done = clickbpf("build", "--oci", str(image), "-e", CABLE)
    assert done.status == 1 and "is not empty" in done.err
    done = clickbpf("build", "--oci", str(tmp_path / "Two Ports.click" / "image"), "-e", CABLE)
    assert done.status == 1 and "cannot write the image" in done.err


@pytest.mark.parametrize("more", [(), ("--hook", "tc")])
def test_a_cluster_attaches_each_program_to_its_device(clickbpf, tmp_path, more):  # noqa: F811
    """Members as in the resource definition clusterbpfapplications.bpfman.io."""
    file = tmp_path / "Two Ports.click"
    file.write_text(CABLE)
    manifest = Compilation(checked(read_text(CABLE), Library.standard())).manifest
    if more:
        done = clickbpf("build", "--application", IMAGE, *more, str(file))
        assert done.status == 1 and "doesn't make the devices" in done.err
        return
    done = clickbpf("build", "--application", IMAGE, str(file))
    told = json.loads(done.out)
    assert (told["apiVersion"], told["kind"], told["metadata"]["name"]) == ("bpfman.io/v1alpha1", "ClusterBpfApplication", "two-ports")
    assert told["spec"]["byteCode"]["image"]["url"] == IMAGE
    assert [(p["name"], p["type"]) for p in told["spec"]["programs"]] == [(p.name, "xdp") for p in manifest.programs]
    links = [link for program in told["spec"]["programs"] for link in program["xdpInfo"]["links"]]
    assert [link["interfaceSelector"] for link in links] == [{"interfaces": [device]} for device in manifest.devices]
    assert all(0 <= link["priority"] <= 1000 for link in links)


def test_what_bpfman_can_not_run_is_refused(clickbpf, tmp_path):  # noqa: F811
    for words, said in ((("--chain", "-e", CABLE), "several programs"), (("-e", "FromHost(a0, 10.0.0.1/8) -> Discard"), "doesn't make")):
        done = clickbpf("build", "--oci", str(tmp_path / "none"), *words)
        assert done.status == 1 and said in done.err
        assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("address", ["", "two words"])
def test_an_application_needs_the_address_of_an_image(clickbpf, address):  # noqa: F811
    done = clickbpf("build", "--application", address, "-e", CABLE)
    assert (done.status, done.out) == (1, "") and f"'{address}' is not the address of an image" in done.err


@pytest.mark.parametrize("name, resource", [("a", "a"), ("NAT_v4.2", "nat-v4-2"), ("--", "router"), ("x" * 70, "x" * 63)])
def test_names_of_resources(name, resource):
    assert bpfman.resource_name(name) == resource
