"""`clickbpf new`: what it makes is a router that checks, runs and passes its own tests."""

import os
import re
import subprocess
import sys

import pytest

from clickbpf.cli.main import main
from clickbpf.tryout.start import FILES

CLICKBPF = (sys.executable, "-m", "clickbpf.cli.main")
PATIENCE = 300


@pytest.fixture
def project(tmp_path):
    assert main(["new", str(tmp_path / "border-1")]) == 0
    return tmp_path / "border-1"


def run(folder, *command):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE)


def test_it_has_a_router_tests_and_words_about_them(project):
    assert {path.name for path in project.iterdir()} == set(FILES)
    texts = {path.name: path.read_text() for path in project.iterdir()}
    assert texts["README.md"].startswith("# border-1\n")
    assert not any("@NAME@" in text for text in texts.values())


def test_the_router_has_no_mistakes_and_runs_in_the_kernel(project):
    done = run(project, "make", "check", f"CLICKBPF={' '.join(CLICKBPF)}")
    assert (done.returncode, done.stderr) == (0, "")
    plan = run(project, *CLICKBPF, "plan", "router.click").stdout
    for name in ("rt", "ttl_left", "arp_right"):
        assert re.search(rf"^{name} +\w+ +xdp ", plan, re.MULTILINE), plan


@pytest.mark.whole
@pytest.mark.needs("root", "clang-19")
def test_its_tests_pass_and_notice_a_mistake(project):
    done = run(project, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert re.search(r"\b8 passed", done.stdout), done.stdout
    router = project / "router.click"
    router.write_text(router.read_text().replace("right:ipnet 2", "right:ipnet 1"))
    done = run(project, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--executor", "native")
    assert re.search(r"\b1 failed, 3 passed", done.stdout), done.stdout


@pytest.mark.whole
@pytest.mark.needs("root", "ip", "ethtool", "nsenter", "ping", "clang-19")
def test_its_hosts_reach_each_other(project):
    script = "ping -n -c1 -W60 10.0.1.2 && ping -n -c1 -W60 10.0.0.1"
    done = run(project, *CLICKBPF, "try", "router.click", "--", "sh", "-c", script)
    assert (done.returncode, done.stdout.count(" 0% packet loss")) == (0, 2), done.stdout + done.stderr


def test_a_folder_that_exists_stays_as_it_is(project, capsys):
    (project / "router.click").write_text("mine")
    assert main(["new", str(project)]) == 1
    assert "exists already" in capsys.readouterr().err
    assert (project / "router.click").read_text() == "mine"


@pytest.mark.parametrize("name", ["no/such/folder", "a b", "..", "$(x)", "-x"])
def test_names_that_can_be_none(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "--", name] if name.startswith("-") else ["new", name]) == 1
    assert "can't be" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
