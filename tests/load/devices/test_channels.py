"""The number of receive queues, and the CPUs of interrupts, that a router is loaded with."""

import re

import pytest
from tests.cli.conftest import OWN, execute, net, router  # noqa: F401

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "clang-19")

TEXT = "FromDevice(eth0) -> Queue -> ToDevice(eth1);"


def queues(router) -> str:  # noqa: F811
    """How many eth0 has in use."""
    return re.findall(r"^RX:\s*(\d+)", router.run("ethtool", "-l", "eth0").stdout, re.MULTILINE)[1]


def test_they_are_set_said_and_put_back(net, router, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.setattr("clickbpf.load.devices.settings.DEVICES", tmp_path / "net")
    monkeypatch.setattr("clickbpf.load.devices.settings.INTERRUPTS", tmp_path / "irq")
    files = [tmp_path / "irq" / number / "smp_affinity_list" for number in ("9", "10")]
    for file in files:
        (tmp_path / "net/eth0/device/msi_irqs" / file.parent.name).mkdir(parents=True)
        file.parent.mkdir(parents=True)
        file.write_text("0-1\n")

    def load(*words: str):
        return execute(router, "load", "-n", OWN, *words, "-e", TEXT)

    def now() -> tuple:
        return queues(router), *(file.read_text().strip() for file in files)

    router.run("ethtool", "-L", "eth0", "rx", "1")
    before = now()
    assert before == ("1", "0-1", "0-1")
    for words, wrong in {"--queues 64": "eth0 can have", "--interrupts 0,200": "--interrupts: there is no CPU 200"}.items():
        assert wrong in load(*words.split()).err
    assert "eth0: receive queues will be set to 2\n" in load("--dry-run", "--queues", "2").out
    assert now() == before
    managed = tmp_path / "irq/8/smp_affinity_list", tmp_path / "net/eth0/device/msi_irqs/8"
    for folder in managed[0].parent, managed[1]:
        folder.mkdir()
    managed[0].symlink_to("/proc/sys/kernel/ngroups_max")  # a file that refuses a value
    assert "eth0: interrupt 8 can't be placed" in load("--queues", "2", "--interrupts", "0-1").err
    assert now() == before
    managed[1].rmdir()
    done = load("--queues", "2", "--interrupts", "0-1")
    assert done.status == 0, done.err
    assert "eth0: receive queues set to 2, until the router is unloaded\n" in done.err
    assert now() == ("2", "0", "1")
    assert "which replacing does not change" in load("--replace", "--queues", "1").err
    assert load("--replace").status == 0
    assert now() == ("2", "0", "1")
    (tmp_path / "net/eth0/device/msi_irqs/10").rmdir()  # the number is another device's by now
    assert execute(None, "unload", OWN).status == 0
    assert now() == (*before[:2], "1")
    assert load("--queues", "2").status == 0
    router.ip("link", "delete", "eth0")
    net.veth(router, "eth0", net.namespaces[1], "eth0")
    router.run("ethtool", "-L", "eth0", "rx", "1")
    assert load("--resume").status == 0
    assert queues(router) == "2"
    assert execute(None, "unload", OWN).status == 0
    assert queues(router) == "1"
