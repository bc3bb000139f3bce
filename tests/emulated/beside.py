"""A router beside another XDP program, on a machine of its own: the first process there.

host0 -- eth0 (router, and a program that counts) eth1 -- host1

Prints one line, RESULT and what was seen, as JSON, and turns the machine off.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import json
import os
import subprocess
import sys
import traceback
from pathlib import Path

FILES = Path("/t")
NAME = "demo"
#: finit_module(2) on x86-64
FINIT_MODULE = 313


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


def prepare() -> None:
    for kind, place in (("proc", "/proc"), ("sysfs", "/sys"), ("devtmpfs", "/dev"), ("bpf", "/sys/fs/bpf"), ("tmpfs", "/run")):
        mount(kind, place)
    for module in FILES.glob("*.ko"):
        with open(module) as file:
            assert ctypes.CDLL(None).syscall(FINIT_MODULE, file.fileno(), b"", 0) == 0, module
    for number in (0, 1):
        for line in (
            f"netns add host{number}",
            f"link add eth{number} type veth peer name eth0 netns host{number}",
            f"link set eth{number} up",
            f"-n host{number} link set eth0 up",
            f"-n host{number} address add 10.0.0.{number + 1}/24 dev eth0",
        ):
            said = run("ip", *line.split())
            assert not said, said


def counted() -> int:
    (entry,) = json.loads(run("bpftool", "-j", "map", "dump", "name", "counted"))
    return entry["formatted"]["value"]


def pings() -> str:
    return run("ip", "netns", "exec", "host0", "ping", "-c5", "-i0.2", "-W2", "10.0.0.2")


def look() -> dict:
    return {"status": run("xdp-loader", "status"), "counted": counted()}


def seen() -> dict:
    """Everything, in its order."""
    prepare()
    found: dict = {"other": run("xdp-loader", "load", "eth0", str(FILES / "counted.o"))}
    found["alone"] = clickbpf("load", "-n", NAME, str(FILES / "router.o"))
    found["load"] = clickbpf("load", "--multi", "--priority", "60", "-n", NAME, str(FILES / "router.o"))
    found["list"] = clickbpf("list")
    found["pings"], found["loaded"], found["read"] = pings(), look(), clickbpf("read", "-r", NAME, "c.count")
    found["again"] = clickbpf("load", "--multi", "-n", "again", str(FILES / "router.o"))
    found["replace"] = clickbpf("load", "--replace", "-n", NAME, str(FILES / "other.o"))
    found["pings again"], found["replaced"], found["read again"] = pings(), look(), clickbpf("read", "-r", NAME, "more.count")
    found["unload"] = clickbpf("unload", NAME)
    found["unloaded"], found["pings at last"], found["counted at last"] = look(), pings(), counted()
    found["left"] = [str(path) for path in (*Path("/sys/fs/bpf").rglob("*"), *Path("/run/clickbpf").rglob("*"))]
    return found


def main() -> None:
    os.environ["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
    os.environ["HOME"] = "/root"
    try:
        found = seen()
    except BaseException:
        found = {"error": traceback.format_exc()}
    print("RESULT", json.dumps(found), flush=True)
    Path("/proc/sysrq-trigger").write_text("o")
    while True:
        os.wait()


if __name__ == "__main__":
    sys.exit(main())
