"""Many routes in an accelerated router, which change all the time: nothing that is sent to other prefixes is lost, also when messages of
Linux's are."""

import ctypes
import os
import re
import socket
from ipaddress import IPv4Address
from pathlib import Path
from random import Random

import pytest
from tests.accelerated import Accelerated
from tests.bench.swaps import Route, Traffic
from tests.bench.tables import network as prefix
from tests.waiting import eventually, standing_still

from clickbpf.load.files.places import RunFolder
from clickbpf.load.process.service import alive

pytestmark = [pytest.mark.whole, pytest.mark.timeout(900), pytest.mark.needs("root", "ip", "ethtool", "clang-19")]
ROUTES, CHANGES, STABLE, RATE = 100_000, 20_000, 64, 4000
#: The system call's number, on all machines.
PIDFD_GETFD = 438


def others(count: int) -> list[str]:
    """Prefixes beside 198.18.0.0/16, and those that are somebody's, as BGP has them."""
    draw, found = Random(count), dict[str, None]()
    while len(found) < count:
        address, length = prefix(draw)
        if 12 < length <= 24 and address.packed[0] not in (10, 127) and address.packed[:2] != b"\xc6\x12":
            found[f"{address}/{length}"] = None
    return list(found)


def test_many_routes_change(network, undo):
    linux = network.namespace("router")
    linux.sysctl("net.ipv4.ip_forward", "1")
    source = network.host("source", linux, "eth0", "10.0.0.2/24", "10.0.0.1")
    sink = network.host("sink", linux, "eth1", "10.0.1.2/24", "10.0.1.1")
    for side in (0, 1):
        linux.address(f"eth{side}", f"10.0.{side}.1/24")
    router = Accelerated(linux, f"full{os.getpid()}")
    undo.callback(router.unload)

    def batch(*lines: str) -> None:
        linux.run("ip", "-batch", "-", input="\n".join(lines), timeout=120)

    prefixes, draw = others(ROUTES), Random(1)
    neighbours = [f"10.0.1.{number}" for number in range(50, 250)]
    stable = [f"198.18.{number}.0/24" for number in range(STABLE)]
    batch(*(f"route add {each} via 10.0.1.2" for each in (*prefixes, *stable)))
    assert eventually(lambda: int(router.read("rt.routes")) > ROUTES + STABLE)
    traffic = Traffic(source, sink, RATE, undo, flows=STABLE, route=Route(
        bytes.fromhex(linux.mac("eth0").replace(":", "")), IPv4Address("10.0.0.2"), IPv4Address("198.18.0.1"))
    )  # fmt: skip
    traffic.start()
    undo.callback(traffic.stop)
    assert eventually(lambda: router.forwarded() > 1000)
    # Routes go, come back, and lead elsewhere, also while a device comes that makes the router ask for all of them.
    changed = draw.sample(prefixes, CHANGES // 2)
    linux.ip("link", "add", "other", "type", "veth", "peer", "name", "end")
    batch(*(f"route del {each}\nroute add {each} via 10.0.{draw.randrange(2)}.2" for each in changed))
    linux.ip("route", "add", "203.0.113.0/24", "via", "10.0.0.2")
    assert eventually(lambda: router.read("rt.lookup 203.0.113.1") == "0 10.0.0.2")
    arrives(traffic)
    assert eventually(lambda: not wrong(router))
    # Linux's messages find no room while the runtime stands still: it asks for everything, and forwarding goes on meanwhile.
    traffic.pause(False)
    asked, lost = (int(router.read(f"rt.{name}")) for name in ("resyncs", "overruns"))
    with standing_still(process := alive(RunFolder.of(router.name))):
        squeeze(process)
        batch(*(f"route replace {each} via 10.0.{draw.randrange(2)}.2" for each in changed))
        batch(*(f"neighbour replace {each} lladdr 02:00:00:00:00:77 dev eth1" for each in neighbours))
        received = traffic.received[0]
        assert eventually(lambda: traffic.received[0] > received + 1000)
    assert eventually(lambda: int(router.read("rt.overruns")) > lost and int(router.read("rt.resyncs")) > asked)
    assert eventually(lambda: not wrong(router))
    assert eventually(lambda: {f"{each} 02-00-00-00-00-77" for each in neighbours} <= {*router.read("departure1/next.table").splitlines()})
    arrives(traffic)


def arrives(traffic: Traffic) -> None:
    """All that was sent, when no more is."""
    traffic.pause(True)
    assert eventually(lambda: traffic.received[0] == traffic.sent), (traffic.sent, traffic.received)


def squeeze(process: int) -> None:
    """Leave its sockets that hear of Linux's changes room for a message or two."""
    rows = (line.split() for line in Path(f"/proc/{process}/net/netlink").read_text().splitlines()[1:])
    hear = {f"socket:[{row[9]}]" for row in rows if row[1] == "0" and int(row[3], 16)}
    known, found = os.pidfd_open(process), [each for each in Path(f"/proc/{process}/fd").iterdir() if os.readlink(each) in hear]
    assert found
    for each in found:
        with socket.socket(fileno=ctypes.CDLL(None).syscall(PIDFD_GETFD, known, int(each.name), 0)) as made:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    os.close(known)


def wrong(router: Accelerated) -> set[tuple[str, str]]:
    """Where the table isn't Linux's."""
    wanted = re.findall(r"^(\S+) via (\S+) dev eth(\d)", router.where.ip("route"), re.MULTILINE)
    has = {tuple(line.split(None, 1)) for line in router.read("rt.table").splitlines()}
    return {(prefix, f"{gateway} {device}") for prefix, gateway, device in wanted} ^ {each for each in has if each[1][0] != "-"}
