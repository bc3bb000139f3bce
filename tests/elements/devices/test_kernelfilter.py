"""KernelFilter: rules for iptables, which is a script here that writes down what it is told."""

import pytest
from tests.elements.running import running

from clickbpf.errors import ClickError
from clickbpf.runtime.host import Runtime


@pytest.fixture
def iptables(tmp_path):
    """The script and what it was told, line by line; it fails for the device nowhere."""
    told, script = tmp_path / "told", tmp_path / "iptables"
    script.write_text(f'#!/bin/sh\necho "$@" >>{told}\ncase "$*" in *nowhere*) echo no such device; exit 1;; esac\n')
    script.chmod(0o755)
    told.touch()
    return script, lambda: told.read_text().splitlines()


def run(text: str) -> Runtime:
    return running(text)


def test_rules_come_and_go_with_the_router(iptables):
    script, told = iptables
    with run(f'KernelFilter(drop dev eth0, IPTABLES_COMMAND "{script} -w 3", drop dev "eth1")'):
        assert told() == [f"-w 3 -A INPUT -i {device} -j DROP" for device in ("eth0", "eth1")]
    assert told()[2:] == [f"-w 3 -D INPUT -i {device} -j DROP" for device in ("eth1", "eth0")]


def test_a_rule_that_fails_takes_the_others_away(iptables):
    script, told = iptables
    runtime = run(f"KernelFilter(drop dev eth0, drop dev nowhere, IPTABLES_COMMAND {script})")
    with pytest.raises(ClickError, match="no such device"):
        runtime.initialise()
    runtime.close()
    assert told()[-1] == "-D INPUT -i eth0 -j DROP"


def test_mistakes(refused_router):
    for wrong in ("drop dev", "pass dev eth0", "drop device eth0", "drop dev eth0 eth1"):
        assert "arguments must follow 'drop dev DEVNAME'" in refused_router(f"KernelFilter({wrong})")
    runtime = run("KernelFilter(drop dev eth0, IPTABLES_COMMAND /nonexistent)")
    with pytest.raises(ClickError, match="/nonexistent: No such file"):
        runtime.initialise()
    runtime.close()
