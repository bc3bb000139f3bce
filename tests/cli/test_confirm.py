"""`load` by somebody who may lose the machine: --dry-run, --confirm, and the warning of the default route."""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest
from tests.waiting import eventually, waits_for_the_lock

from clickbpf.errors import ClickError
from clickbpf.load.files import places
from clickbpf.load.life import confirm, trial
from clickbpf.load.life.trial import token_of

from .conftest import OWN, execute
from .test_load import forwards

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "clang-19")


def xdp(router) -> int:
    return router.ip("-d", "link").count("prog/xdp")


def test_unconfirmed_is_taken_out_again(net, router, cable):
    done = execute(router, "load", "--confirm", "1", str(cable))
    assert done.status == 0 and f"unless 'clickbpf confirm {OWN}'" in done.err
    assert eventually(lambda: OWN not in places.loaded())
    assert xdp(router) == 0


def test_confirmed_stays(net, router, cable):
    assert execute(router, "load", "--confirm", "30", str(cable)).status == 0
    line = rf"^{OWN} +running, unconfirmed .*eth0 \(ring\), eth1 \(ring\)"
    assert re.search(rf"{line}$", execute(router, "list").out, re.MULTILINE)
    assert re.search(rf"{line} in {router.name}$", execute(None, "list").out, re.MULTILINE)
    done = execute(router, "confirm", OWN)
    assert "unconfirmed" not in execute(router, "list").out
    assert (done.status, done.err) == (0, f"{OWN} confirmed\n")
    assert not (places.RunFolder.of(OWN).unconfirmed).exists()
    assert forwards(net)
    done = execute(router, "confirm", OWN)
    assert done.status == 1 and "is not waiting for confirmation" in done.err


def test_an_unconfirmed_replacement_brings_the_old_one_back(net, router, cable):
    assert execute(router, "load", str(cable)).status == 0
    assert forwards(net)
    other = cable.with_name("other.click")
    other.write_text(cable.read_text().replace("c :: Counter", "c :: Counter -> p :: Paint(3)"))
    done = execute(router, "load", "--replace", "--confirm", "2", "-n", OWN, str(other))
    assert done.status == 0 and "the previous router is restored in 2 seconds" in done.err
    assert eventually(lambda: "Paint" not in execute(router, "read", "-r", OWN, "flatconfig").out)
    assert forwards(net)


def replace(router, cable, element: str, *options: str) -> None:
    """Put the router of the file in its place, with one more element."""
    other = cable.with_name("other.click")
    other.write_text(cable.read_text().replace("c :: Counter", f"c :: Counter -> {element}"))
    done = execute(router, "load", "--replace", *options, "-n", OWN, str(other))
    assert done.status == 0, done.err


def flat(router) -> str:
    return execute(router, "read", "-r", OWN, "flatconfig").out


@pytest.mark.whole
def test_a_trial_during_a_trial_goes_back_to_the_router_that_was_kept(net, router, cable):
    assert execute(router, "load", str(cable)).status == 0
    replace(router, cable, "Paint(3)", "--confirm", "600")
    first = token_of(places.RunFolder.of(OWN))
    replace(router, cable, "Paint(4)", "--confirm", "1")
    assert eventually(lambda: "Paint" not in flat(router)), flat(router)
    assert eventually(lambda: not waiting_for(first)) and not places.RunFolder.of(OWN).unconfirmed.exists()
    assert forwards(net)


@pytest.mark.whole
def test_a_trial_during_the_first_trial_goes_back_to_nothing(net, router, cable):
    assert execute(router, "load", "--confirm", "600", str(cable)).status == 0
    replace(router, cable, "Paint(4)", "--confirm", "1")
    assert eventually(lambda: OWN not in places.loaded())
    assert xdp(router) == 0


@pytest.mark.whole
def test_a_trial_after_a_confirmed_one_goes_back_to_that(net, router, cable):
    assert execute(router, "load", str(cable)).status == 0
    replace(router, cable, "Paint(3)", "--confirm", "600")
    assert execute(router, "confirm", OWN).status == 0
    replace(router, cable, "Paint(4)", "--confirm", "1")
    assert eventually(lambda: "Paint(3)" in flat(router))


@pytest.mark.whole
def test_a_router_that_comes_when_a_trial_is_over_stays(router, cable, monkeypatch):
    """It comes after the first one's trial has ended, and before that is unloaded."""
    assert execute(router, "load", "--confirm", "600", str(cable)).status == 0
    look, said = trial.before, []

    def come_first(folder):
        replace(router, cable, "Paint(3)")
        return look(folder)

    monkeypatch.setattr(trial, "before", come_first)
    monkeypatch.setattr(confirm.syslog, "syslog", lambda level, text: said.append(text))
    router.call(confirm.wait, OWN, token_of(places.RunFolder.of(OWN)), 0)
    assert "Paint(3)" in flat(router)
    assert len(said) == 1 and "another router has replaced" in said[0]


def test_a_trial_stays_one_while_a_router_is_in_its_place_that_goes_again(tmp_path, monkeypatch):
    """The one that waits looks again once the loader is done."""
    folder = places.RunFolder(tmp_path)
    monkeypatch.setattr(places.RunFolder, "of", lambda name: folder)
    with ThreadPoolExecutor() as threads:
        with places.locked():
            waits = threads.submit(trial.waits, "router", "token")
            assert eventually(lambda: waits_for_the_lock(os.getpid()))
            folder.unconfirmed.write_text("token")
        assert waits.result()
        folder.unconfirmed.unlink()
        assert not trial.waits("router", "token")


@pytest.mark.parametrize("python", ["/bin/false", "/nowhere/python"])
def test_nothing_is_loaded_if_nobody_can_wait(monkeypatch, python):
    monkeypatch.setattr(confirm.sys, "executable", python)
    entered = []
    with pytest.raises(ClickError, match="no process can wait .* nothing was loaded"), confirm.watched("router", 60):
        entered.append(True)
    assert not entered


@pytest.mark.parametrize("error", [ClickError("no"), FileNotFoundError("no"), KeyError("no")])
def test_what_can_not_be_undone_is_in_the_systems_log(tmp_path, monkeypatch, error):
    folder, said = places.RunFolder(tmp_path), []
    monkeypatch.setattr(places.RunFolder, "of", lambda name: folder)
    monkeypatch.setattr(confirm.syslog, "syslog", lambda level, text: said.append(text))
    monkeypatch.setattr(confirm, "unload", Mock(side_effect=error))
    folder.unconfirmed.write_text("token")
    confirm.wait("router", "token", 0)
    (line,) = said
    assert line.startswith("clickbpf: router was not confirmed and can't be undone: ") and "no" in line


@pytest.mark.whole
def test_another_load_under_the_name_is_not_undone(net, router, cable):
    """Whoever waits for the confirmation of the first ends, and does nothing to the second."""
    assert execute(router, "load", "--confirm", "30", str(cable)).status == 0
    first = token_of(places.RunFolder.of(OWN))
    assert waiting_for(first)
    assert execute(router, "unload", OWN).status == 0
    assert execute(router, "load", "--confirm", "600", str(cable)).status == 0
    second = token_of(places.RunFolder.of(OWN))
    assert eventually(lambda: not waiting_for(first))
    assert waiting_for(second) and token_of(places.RunFolder.of(OWN)) == second


def waiting_for(token: str) -> bool:
    """Whether a process waits for that confirmation: it has the token among its arguments."""
    return subprocess.run(["pgrep", "-f", token], capture_output=True).returncode == 0


def test_seconds_are_a_number(clickbpf, cable):
    for text in ("soon", "0", "-1", "nan", "1e9"):
        assert clickbpf("load", f"--confirm={text}", str(cable)).status == 2


def test_a_dry_run_says_what_would_be_done_and_does_nothing(net, router, tmp_path):
    config = tmp_path / f"{OWN}.click"
    config.write_text("FromDevice(eth0) -> c :: Counter -> ToHost(eth0); h :: FromHost(made0, 10.9.9.1/24) -> Discard;")
    before = router.ip("-d", "address"), net.namespaces[1].run("ethtool", "-k", "eth0").stdout
    done = execute(router, "load", "--dry-run", str(config))
    lines = done.out.splitlines()
    assert done.status == 0, done.err
    assert lines[0] == f"{OWN} would be loaded:"
    assert "eth0: a program is attached" in lines
    assert any(line.startswith("eth0: gro is switched on at the other end") for line in lines)
    assert any(line.startswith("made0: is made, with ") for line in lines)
    assert OWN not in places.loaded()
    assert (router.ip("-d", "address"), net.namespaces[1].run("ethtool", "-k", "eth0").stdout) == before


def test_a_dry_run_of_a_replacement(net, router, tmp_path):
    config = tmp_path / f"{OWN}.click"
    config.write_text("FromDevice(eth0) -> c :: Counter -> q :: Queue(10) -> p :: Paint(1) -> x :: Discard;")
    assert execute(router, "load", str(config)).status == 0
    config.write_text("FromDevice(eth0) -> c :: Counter -> q :: Queue(20) -> p :: Null -> y :: Discard;")
    done = execute(router, "load", "--replace", "--dry-run", str(config))
    assert done.status == 0, done.err
    assert set(done.out.splitlines()[1:]) >= {
        "eth0: its program is replaced",
        "q :: Queue(20) is reconfigured; before: q :: Queue(10)",
        "p :: Null replaces p :: Paint(1)",
        "y :: Discard is added",
        "x :: Discard is removed",
        "2 elements stay as they are",
        "state is kept of q; all other state, such as counters, starts from zero",
    }
    assert "Paint" in execute(router, "read", "-r", OWN, "flatconfig").out
    done = execute(router, "load", "--dry-run", str(config))
    assert done.status == 1 and "is loaded" in done.err


@pytest.mark.parametrize("route", [("route", "add", "default", "via", "10.0.0.2"), ("-6", "route", "add", "default", "dev", "eth1")])
def test_the_default_route(router, cable, route):
    router.address("eth1", "10.0.0.9/24")
    said = "warning: eth1 carries the default route of this machine\nhint: with --confirm 60"
    assert said not in execute(router, "load", "--dry-run", str(cable)).err
    router.run("sysctl", "-w", "net.ipv6.conf.eth1.disable_ipv6=0")
    router.ip(*route)
    done = execute(router, "load", "--dry-run", str(cable))
    assert done.status == 0 and said in done.err
