"""What the README shows: its files work, its links lead somewhere, its make targets exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from clickbpf.testing.netns import Network

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def files() -> dict[str, str]:
    """The fenced blocks that begin with a comment that is a path: path -> text."""
    blocks = re.findall(r"^```\w+\n((?:# |/\* )(\S+\.\w+).*?)^```", README, re.MULTILINE | re.DOTALL)
    return {path: text for text, path in blocks}


def test_the_element_of_the_readme_passes_its_test_on_both_executors(tmp_path):
    shown = files()
    assert {Path(path).suffix for path in shown} == {".py", ".c"}
    for path, text in shown.items():
        file = tmp_path / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    (test,) = tmp_path.rglob("test_*.py")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={tmp_path}", test],
        cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\b(\d+) passed", done.stdout)


def test_links_lead_somewhere():
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_make_targets_exist():
    targets = set(re.findall(r"\bmake ([a-z]+)\b", README))
    assert {"demo", "test", "deps"} <= targets
    known = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert targets <= known


def block(before: str) -> str:
    """The indented block that follows these words."""
    (found,) = re.findall(rf"{re.escape(before)}\n\n((?:    .*\n)+)", README)
    return re.sub(r"^    ", "", found, flags=re.MULTILINE)


@pytest.mark.needs("root", "ip", "bpftool", "ethtool", "clang-19")
def test_the_recipe_for_other_loaders_forwards(tmp_path):
    """As printed, but for the name of the pins, which the machine has but one of."""
    own = f"cable{os.getpid()}"
    (tmp_path / "clickbpf").write_text(f'#!/bin/sh\nexec {sys.executable} -m clickbpf.cli.main "$@"\n')
    (tmp_path / "clickbpf").chmod(0o755)
    paths = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with Network() as net:
        router, hosts = net.namespace("router"), [net.namespace("one"), net.namespace("other")]
        for number, host in enumerate(hosts):
            net.veth(router, f"eth{number}", host, "eth0")
            host.address("eth0", f"10.0.0.{number + 1}/24")

        def shell(words: str, inside) -> None:
            script = f"set -e\ncd {tmp_path}\n{words}".replace("/sys/fs/bpf/cable", f"/sys/fs/bpf/{own}")
            done = inside.run("sh", "-c", script, env={**os.environ, **paths}, check=False)
            assert done.returncode == 0, done.stdout + done.stderr

        shell(block("A cable between two devices, by bpftool:"), router)
        try:
            for host in hosts:
                shell(block("the other ends need what `clickbpf load` would have done for them:"), host)
            assert hosts[0].run("ping", "-c2", "-i0.2", "-W2", "10.0.0.2", check=False).returncode == 0
        finally:
            shell(block("To remove it:"), router)
        assert "xdp" not in router.ip("-d", "link")
        assert not list(Path("/sys/fs/bpf").glob(f"{own}*"))
