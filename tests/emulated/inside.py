"""What the first processes of machines in software have in common: the script's `seen()` looks at things, and what it returns is printed as
one line, RESULT and JSON. Then the machine is off.

Linux hosts are at devices of the machine, one at each, and have addresses of one network:

    host0  eth0 10.9.0.2/24  ------  eth0  machine  eth1  ------  eth0 10.9.0.3/24  host1
"""

import contextlib
import ctypes
import io
import json
import os
import signal
import subprocess
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

#: The folder with the script and its files.
FILES = Path("/t")
#: finit_module(2) on x86-64
FINIT_MODULE = 313
#: Seconds for what happens by itself.
PATIENCE = 30


def mount(kind: str, place: str) -> None:
    Path(place).mkdir(parents=True, exist_ok=True)
    assert ctypes.CDLL(None).mount(kind.encode(), place.encode(), kind.encode(), 0, None) == 0, place


def run(*line: str) -> str:
    done = subprocess.run(line, capture_output=True, text=True)
    return done.stdout + done.stderr


def clickbpf(*words: str) -> tuple[int, str]:
    """A command's status and what it prints, in this process: starting Python takes long here."""
    from clickbpf.cli.main import main

    output = io.TextIOWrapper(io.BytesIO(), write_through=True)
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            status = main(words)
        except SystemExit as ended:
            status = ended.code
    return status, output.buffer.getvalue().decode()


def host(net, number: int):
    """The namespace of a host, and the device that leads to it, in a network (clickbpf.testing.netns)."""
    made = net.namespace(f"host{number}")
    run("ip", "link", "add", f"eth{number}", "type", "veth", "peer", "name", "eth0", "netns", made.name)
    said = run("ip", "link", "set", f"eth{number}", "up")
    assert not said, said
    made.ip("link", "set", "eth0", "up")
    made.address("eth0", f"10.9.0.{number + 2}/24")
    return made


def listed() -> dict[str, Any]:
    """What `list` shows of the router that is loaded."""
    (router,) = json.loads(clickbpf("list", "--json")[1])
    return router


def eventually(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.2)
    return found


def die(pid: int) -> bool:
    """Kill the runtime. This process has to ask after its orphans, or they stay."""
    os.kill(pid, signal.SIGKILL)

    def gone() -> bool:
        with suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
        return listed()["state"] == "degraded"

    return eventually(gone)


def left() -> list[str]:
    """What there is in the BPF file system and of clickbpf's files."""
    return [str(path) for path in (*Path("/sys/fs/bpf").rglob("*"), *Path("/run/clickbpf").rglob("*"))]


def prepare() -> None:
    for kind, place in (("proc", "/proc"), ("sysfs", "/sys"), ("devtmpfs", "/dev"), ("bpf", "/sys/fs/bpf"), ("tmpfs", "/run")):
        mount(kind, place)
    for module in sorted(FILES.glob("*.ko")):  # their names begin with numbers
        with open(module) as file:
            assert ctypes.CDLL(None).syscall(FINIT_MODULE, file.fileno(), b"", 0) == 0, module


def main(seen: Callable[[], dict]) -> None:
    os.environ["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
    os.environ["HOME"] = "/root"
    print("the kernel has started", flush=True)
    try:
        prepare()
        found = seen()
    except BaseException:
        found = {"error": traceback.format_exc()}
    print("RESULT", json.dumps(found), flush=True)
    Path("/proc/sysrq-trigger").write_text("o")
    while True:
        os.wait()
