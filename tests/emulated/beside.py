"""A router beside another XDP program, on a machine of its own: its first process (inside.py).

host0 -- eth0 (router, and a program that counts) eth1 -- host1
"""

from __future__ import annotations

import json

from inside import FILES, clickbpf, left, main, run

NAME = "demo"


def cables() -> None:
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
    cables()
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
    found["left"] = left()
    return found


if __name__ == "__main__":
    main(seen)
