"""Routers between two Linux hosts, on a machine of its own: its first process (inside.py).

    host0 10.0.0.2/24  ------  eth0 10.0.0.1  router  10.0.1.1 eth1  ------  host1 10.0.1.2/24

The hosts' other addresses are those of one network, for routers that only pass packets on.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from inside import FILES, PATIENCE, clickbpf, die, eventually, host, left, listed, main, run

NAME, PORT = "demo", 5001
#: Bytes sent by TCP, each way.
AMOUNT = 200_000
FORWARDING = Path("/proc/sys/net/ipv4/ip_forward")
ROUTED, PASSED = ("10.0.0.2", "10.0.1.2"), ("10.9.0.2", "10.9.0.3")


def routed(net, number: int):
    """A host with a network of its own, and a route through the router."""
    made = host(net, number)
    for line in (f"link set eth{number} address 02:00:00:00:{number:02}:10", f"address add 10.0.{number}.1/24 dev eth{number}"):
        said = run("ip", *line.split())
        assert not said, said
    made.address("eth0", f"10.0.{number}.2/24")
    made.route("default", f"10.0.{number}.1")
    return made


def passes(hosts, addresses: tuple[str, str]) -> dict[str, Any]:
    """What gets through: pings from the first host, and TCP in both directions."""
    from clickbpf.testing.traffic import ping, tcp_transfer

    found: dict[str, Any] = {"pings": ping(hosts[0], addresses[1], 3)}
    for one, other in ((0, 1), (1, 0)):
        payload = os.urandom(AMOUNT)
        found[f"tcp {one} {other}"] = tcp_transfer(hosts[one], hosts[other], addresses[other], PORT, payload, PATIENCE) == payload
    return found


def filters(device: str) -> str:
    return "".join(run("tc", "filter", "show", "dev", device, direction) for direction in ("ingress", "egress"))


def traces(hosts) -> list[str]:
    """What routers leave on devices, in the kernel and as processes."""
    found = [re.sub(r"^\d+: ", "", line) for line in run("ip", "-o", "link").splitlines()]
    for device in ("eth0", "eth1"):
        found += run("tc", "qdisc", "show", "dev", device).splitlines() + filters(device).splitlines()
    for each in hosts:
        found += [f"{each.name} {line}" for line in each.run("ethtool", "-k", "eth0").stdout.splitlines()]
    found += [f"program {each.get('name')}" for each in json.loads(run("bpftool", "-j", "prog", "show"))]
    found += [f"map {each.get('name')}" for each in json.loads(run("bpftool", "-j", "map", "show"))]
    for words in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found += [f"process {words.read_bytes()!r}"] if b"clickbpf" in words.read_bytes() else []
    return [*found, *left()]


def lived(hosts, file: str, addresses: tuple[str, str], *words: str) -> dict[str, Any]:
    """A router's life: loaded, killed, resumed, unloaded."""
    before = traces(hosts)
    found: dict[str, Any] = {"load": clickbpf("load", "-n", NAME, *words, str(FILES / file))}
    if found["load"][0] == 0:
        found["list"] = listed()
        found["filters"] = filters("eth0") + filters("eth1")
        found["passes"] = passes(hosts, addresses)
        found["drops"] = clickbpf("drops", NAME)
        found["killed"] = die(found["list"]["runtime"])
        found["without runtime"] = passes(hosts, addresses) if addresses == ROUTED else None
        found["resume"] = clickbpf("load", "--resume", "-n", NAME, *words, str(FILES / file))
        found["resumed"] = passes(hosts, addresses), listed()
        found["unload"] = clickbpf("unload", NAME)
    eventually(lambda: traces(hosts) == before)
    earlier, now = Counter(before), Counter(traces(hosts))
    return found | {"more": [*(now - earlier).elements()], "less": [*(earlier - now).elements()]}


def forwarded(hosts) -> dict[str, Any]:
    """The life of a router that takes what Linux forwards."""
    FORWARDING.write_text("1")
    try:
        return lived(hosts, "outbound.o", ROUTED)
    finally:
        FORWARDING.write_text("0")


def seen() -> dict[str, Any]:
    from clickbpf.testing.netns import Network

    run("ip", "link", "set", "lo", "up")
    with Network() as net:
        hosts = [routed(net, number) for number in (0, 1)]
        return {
            "xdp": lived(hosts, "router-xdp.o", ROUTED),
            "tc": lived(hosts, "router-tc.o", ROUTED),
            "af_xdp": lived(hosts, "queued.o", PASSED, "--crossing", "af_xdp"),
            "ring": lived(hosts, "queued.o", PASSED),
            "af_xdp, tc": lived(hosts, "queued-tc.o", PASSED),
            "outbound": forwarded(hosts),
        }


if __name__ == "__main__":
    main(seen)
