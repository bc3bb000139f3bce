"""The demo that newcomers run first."""

import re
import signal
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMESPACES = Path("/run/netns")

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "traceroute", "nc", "ss", "bpftool", "clang-19")


@pytest.mark.whole
def test_the_demo_shows_everything_and_cleans_up():
    done = subprocess.run([ROOT / "demo" / "demo.sh"], capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"^(\d)\. ", done.stdout, re.MULTILINE) == list("1234567")
    assert done.stdout.count("equal") == 2
    assert left_behind(done.stdout) == []


@pytest.mark.whole
def test_an_interrupted_demo_cleans_up():
    with subprocess.Popen([ROOT / "demo" / "demo.sh"], stdout=subprocess.PIPE, text=True) as demo:
        said = ""
        for line in demo.stdout:
            said += line
            if line.startswith("4. "):
                break
        demo.send_signal(signal.SIGTERM)
        said += demo.communicate(timeout=60)[0]
    assert demo.returncode == 143
    assert left_behind(said) == []


def left_behind(said: str) -> list[Path]:
    """What is left of the router and the namespaces that the demo made."""
    name = re.search(r"clickbpf load -n (demo\d+)", said)[1]
    places = (NAMESPACES, Path("/run/clickbpf"), Path("/sys/fs/bpf/clickbpf"))
    return [path for place in places if place.is_dir() for path in place.glob(f"{name}*")]
