"""A router between two hosts beside another XDP program, which counts, on a machine of its own: its first process (inside.py)."""

from __future__ import annotations

import json

from inside import FILES, clickbpf, host, left, main, run

NAME = "demo"


def counted() -> int:
    (entry,) = json.loads(run("bpftool", "-j", "map", "dump", "name", "counted"))
    return entry["formatted"]["value"]


def pings(hosts) -> str:
    return hosts[0].run("ping", "-c5", "-i0.2", "-W2", "10.9.0.3", check=False).stdout


def look() -> dict:
    return {"status": run("xdp-loader", "status"), "counted": counted()}


def seen() -> dict:
    from clickbpf.testing.netns import Network

    with Network() as net:
        return lived([host(net, number) for number in (0, 1, 2)])


def lived(hosts) -> dict:
    """Everything, in its order."""
    found: dict = {"other": run("xdp-loader", "load", "eth0", str(FILES / "counted.o"))}
    found["alone"] = clickbpf("load", "-n", NAME, str(FILES / "router.o"))
    found["load"] = clickbpf("load", "--multi", "--priority", "60", "-n", NAME, str(FILES / "router.o"))
    found["list"] = clickbpf("list")
    found["pings"], found["loaded"], found["read"] = pings(hosts), look(), clickbpf("read", "-r", NAME, "c.count")
    found["again"] = clickbpf("load", "--multi", "-n", "again", str(FILES / "router.o"))
    found["replace"] = clickbpf("load", "--replace", "-n", NAME, str(FILES / "other.o"))
    found["pings again"], found["replaced"], found["read again"] = pings(hosts), look(), clickbpf("read", "-r", NAME, "more.count")
    found["wider"] = clickbpf("load", "--replace", "-n", NAME, str(FILES / "wider.o"))
    pings([hosts[2]])
    found["pings meanwhile"], found["widened"], found["read new"] = pings(hosts), look(), clickbpf("read", "-r", NAME, "new.count")
    found["narrower"] = clickbpf("load", "--replace", "-n", NAME, str(FILES / "other.o"))
    found["narrowed"], found["pings then"] = look(), pings(hosts)
    found["unload"] = clickbpf("unload", NAME)
    found["unloaded"], found["pings at last"], found["counted at last"] = look(), pings(hosts), counted()
    found["left"] = left()
    return found


if __name__ == "__main__":
    main(seen)
