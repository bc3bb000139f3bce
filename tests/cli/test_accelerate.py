"""`clickbpf accelerate` over a Linux router between two Linux hosts, which keeps its addresses, routes and neighbours: what LinuxIPLookup,
LinuxIP6Lookup and LinuxNeighbors do beside a Linux that changes.

10.0.0.2, 2001:db8::2 ---- eth0 router eth1 ---- 10.0.1.2, 2001:db8:1::2
"""

import ctypes
import json
import os
import random
import re
import signal
import sys
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from tests import commands
from tests.accelerated import Accelerated
from tests.configs.traffic import CONFIGS
from tests.waiting import eventually

from clickbpf.cli.accelerate import with_devices
from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError
from clickbpf.load.files.places import RunFolder
from clickbpf.load.process import service
from clickbpf.plan import Options
from clickbpf.testing.router import Router
from clickbpf.testing.traffic import RawPort, ping, tcp_transfer
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "clang-19")

#: The system call's number, and where it differs from that of most machines.
SCHED_GETATTR = {"x86_64": 315}.get(os.uname().machine, 275)

Address, Network = IPv4Address | IPv6Address, IPv4Network | IPv6Network


def with_address(namespace, device, side, number):
    for name in ("disable_ipv6", "accept_dad"):
        namespace.sysctl(f"net.ipv6.conf.{device}.{name}", "0")
    namespace.address(device, f"10.0.{side}.{number}/24")
    namespace.ip("address", "add", f"2001:db8:{side}::{number}/64", "dev", device, "nodad")


@pytest.fixture
def linux(network):
    """The router, which forwards, and its two hosts."""
    router = network.namespace("router")
    router.sysctl("net.ipv6.conf.all.disable_ipv6", "0")
    hosts = []
    for side in (0, 1):
        host = network.namespace(f"host{side}")
        host.sysctl("net.ipv6.conf.all.disable_ipv6", "0")
        network.veth(router, f"eth{side}", host, "eth0")
        host.offload("eth0", tx=False, gro=True)
        with_address(router, f"eth{side}", side, 1)
        with_address(host, "eth0", side, 2)
        host.route("default", f"10.0.{side}.1")
        host.ip("-6", "route", "replace", "default", "via", f"2001:db8:{side}::1")
        hosts.append(host)
    router.sysctl("net.ipv4.ip_forward", "1")
    router.sysctl("net.ipv6.conf.all.forwarding", "1")
    return router, *hosts


@pytest.fixture
def accelerated(linux, request):
    made = Accelerated(linux[0], f"accel{os.getpid()}", ("eth0", "eth1"), *getattr(request, "param", ()))
    try:
        yield made, *linux
    finally:
        made.unload()


def slices(process: int) -> set[int]:
    """The time slices, in ns, that a process's threads have asked for; those of an old kernel have none."""
    own, found = ctypes.create_string_buffer(56), set()
    for thread in os.listdir(f"/proc/{process}/task"):
        if not ctypes.CDLL(None).syscall(SCHED_GETATTR, int(thread), own, len(own), 0):
            found.add(int.from_bytes(own[24:32], sys.byteorder))
    return found if any(found) else {100_000}


def test_a_linux_router_is_accelerated(accelerated):
    router, linux, one, two = accelerated
    assert router.gets("10.0.1.0/24", "- 1") and router.gets("2001:db8:1::/64", "- 1", "rt6")
    # Linux asks for the neighbours; from then on it doesn't see what is forwarded.
    for address in ("10.0.1.2", "2001:db8:1::2"):
        assert ping(one, address, 3) == 3
    assert eventually(lambda: "10.0.1.2 " in router.read("departure1/next.table") and "10.0.0.2 " in router.read("departure0/next.table"))
    before, given_up = router.forwarded(), int(router.read("linux.count"))
    for address in ("10.0.1.2", "2001:db8:1::2"):
        assert ping(one, address, 10) == 10
    assert router.forwarded() == before + 40
    assert int(router.read("linux.count")) <= given_up + 8  # neighbours ask each other now and then
    assert router.by_runtime() == 0
    assert eventually(lambda: 100_000 in slices(service.alive(RunFolder.of(router.name))))
    # Linux hears that a neighbour is used, though it sends nothing there itself, and asks it again.
    linux.ip("neighbour", "replace", "10.0.1.2", "lladdr", two.mac("eth0"), "dev", "eth1", "nud", "stale")
    assert eventually(lambda: "10.0.1.2 " in router.read("departure1/next.table") and "stale" in router.read("departure1/next.table"))
    assert ping(one, "10.0.1.2", 3) == 3
    assert eventually(lambda: "REACHABLE" in linux.ip("neighbour", "show", "10.0.1.2", "dev", "eth1"), 20)
    # Linux answers for itself, and for what it doesn't forward; a packet meets one TTL fewer, whoever forwards it.
    assert ping(one, "10.0.1.1", 2) == 2 and ping(one, "10.0.0.1", 2) == 2 and ping(one, "2001:db8:1::1", 2) == 2
    assert "Time to live exceeded" in one.run("ping", "-c1", "-t1", "10.0.1.2", check=False).stdout
    assert "ttl=63" in one.run("ping", "-c1", "-t2", "10.0.1.2").stdout
    assert "Unreachable" in one.run("ping", "-c1", "10.77.0.1", check=False).stdout
    assert tcp_transfer(one, two, "10.0.1.2", 5001, b"x" * 200000) == b"x" * 200000
    # Packets that are too long: Linux makes the fragments, and says what fits.
    linux.ip("route", "add", "10.0.1.2/32", "dev", "eth1", "mtu", "1000")
    assert router.gets("10.0.1.2/32", "- 1")
    assert "Frag needed" in one.run("ping", "-c1", "-Mdo", "-s1200", "10.0.1.2", check=False).stdout
    assert ping(one, "10.0.1.2", 1, options=("-s", "2000")) == 1


@pytest.mark.whole
def test_routes_are_followed(accelerated):
    router, linux, one, two = accelerated
    assert router.gets("10.0.1.0/24", "- 1")
    for command, prefix, row in (
        ("add 10.1.0.0/16 via 10.0.1.2", "10.1.0.0/16", "10.0.1.2 1"),
        ("add 10.1.0.0/16 via 10.0.0.2 metric 10", "10.1.0.0/16", "10.0.1.2 1"),
        ("del 10.1.0.0/16 via 10.0.1.2", "10.1.0.0/16", "10.0.0.2 0"),
        ("replace 10.1.0.0/16 via 10.0.0.3 metric 10", "10.1.0.0/16", "10.0.0.3 0"),
        ("add 10.1.2.0/24 via 192.0.2.1 dev eth1 onlink", "10.1.2.0/24", "192.0.2.1 1"),
        ("add blackhole 10.1.3.0/24", "10.1.3.0/24", "- blackhole"),
        ("add unreachable 10.1.4.0/24", "10.1.4.0/24", "- linux"),
        ("add 10.1.5.0/24 dev lo", "10.1.5.0/24", "- linux"),
        ("add 10.1.6.0/24 via inet6 2001:db8:1::", "10.1.6.0/24", "- linux"),
        ("append 10.1.0.0/16 via 10.0.1.9 metric 10", "10.1.0.0/16", "10.0.0.3 0"),
        ("del 10.1.0.0/16 via 10.0.0.3", "10.1.0.0/16", "10.0.1.9 1"),
        ("del 10.1.0.0/16", "10.1.0.0/16", None),
    ):
        linux.ip("route", *command.split())
        assert router.gets(prefix, row), f"{command}: {router.read('rt.table')}"
    linux.ip("-6", "route", "add", "2001:db8:9::/48", "via", "2001:db8:1::2")
    assert router.gets("2001:db8:9::/48", "2001:db8:1::2 1", "rt6")
    # A blackhole is a drop; Linux answers what is unreachable.
    assert ping(one, "10.1.3.1", 2, wait=0.2) == 0 and router.dropped("rt") == {"FILTERED": 2}
    assert "Unreachable" in one.run("ping", "-c1", "10.1.4.1", check=False).stdout
    # Where Linux no longer forwards, nobody does.
    for setting, table, prefix, address in (
        ("ipv4.conf.all.forwarding", "rt", "10.0.1.0/24", "10.0.1.2"),
        ("ipv6.conf.all.forwarding", "rt6", "2001:db8:1::/64", "2001:db8:1::2"),
    ):
        linux.sysctl(f"net.{setting}", "0")
        assert router.gets(prefix, None, table) and ping(one, address, 1, wait=0.5) == 0
        linux.sysctl(f"net.{setting}", "1")
        assert router.gets(prefix, "- 1", table) and eventually(lambda address=address: ping(one, address, 1) == 1)
    # Next-hop objects, and devices that go and come back.
    linux.ip("nexthop", "add", "id", "7", "via", "10.0.1.2", "dev", "eth1")
    linux.ip("route", "add", "10.2.0.0/16", "nhid", "7")
    assert router.gets("10.2.0.0/16", "10.0.1.2 1")
    linux.ip("nexthop", "replace", "id", "7", "via", "10.0.0.2", "dev", "eth0")
    assert router.gets("10.2.0.0/16", "10.0.0.2 0")
    linux.ip("nexthop", "del", "id", "7")
    assert router.gets("10.2.0.0/16", None)
    linux.ip("link", "set", "eth1", "down")
    assert router.gets("10.0.1.0/24", None) and router.gets("10.1.2.0/24", None)
    linux.ip("link", "set", "eth1", "up")
    assert router.gets("10.0.1.0/24", "- 1")
    # Addresses, as DHCP changes them: Linux answers for the new one, and as the new one.
    linux.sysctl("net.ipv4.conf.eth0.promote_secondaries", "1")
    linux.address("eth0", "10.0.0.77/24")
    assert router.gets("10.0.0.77/32", "- linux") and ping(one, "10.0.0.77", 1) == 1
    linux.ip("address", "del", "10.0.0.1/24", "dev", "eth0")
    one.ip("neighbour", "flush", "dev", "eth0")
    assert router.gets("10.0.0.1/32", None) and ping(one, "10.0.0.1", 1, wait=0.5) == 0
    one.route("default", "10.0.0.77")
    assert "From 10.0.0.77 " in one.run("ping", "-c1", "-t1", "10.0.1.2", check=False).stdout
    # Rules are Linux's: while there are any, everything is.
    linux.ip("rule", "add", "from", "10.0.0.2", "lookup", "100")
    assert router.gets("10.0.1.0/24", None) and ping(one, "10.0.1.2", 2) == 2
    linux.ip("rule", "del", "from", "10.0.0.2", "lookup", "100")
    assert router.gets("10.0.1.0/24", "- 1")
    # What changes while there is no runtime: packets go on as they did, and the next one learns of it.
    assert eventually(lambda: "10.0.1.2 " in router.read("departure1/next.table"))
    process = service.alive(RunFolder.of(router.name))
    linux.ip("route", "add", "10.3.0.0/16", "via", "10.0.1.2")
    assert router.gets("10.3.0.0/16", "10.0.1.2 1")
    os.kill(process, signal.SIGKILL)
    assert eventually(lambda: not service.alive(RunFolder.of(router.name)))
    linux.ip("route", "del", "10.3.0.0/16")
    linux.ip("route", "add", "10.4.0.0/16", "via", "10.0.1.2")
    before = router.forwarded()
    assert ping(one, "10.0.1.2", 5) == 5 and router.forwarded() == before + 10
    router.clickbpf("load", "--resume", "-n", router.name, "-e", "Idle -> Discard")
    assert router.gets("10.4.0.0/16", "10.0.1.2 1") and router.row("10.3.0.0/16") is None
    # A router that takes its place has what it had.
    router.clickbpf("accelerate", "--replace", "-n", router.name, "eth0", "eth1")
    assert router.row("10.4.0.0/16") == "10.0.1.2 1" and "10.0.1.2 " in router.read("departure1/next.table")
    before = router.forwarded()
    assert ping(one, "10.0.1.2", 5) == 5 and router.forwarded() >= before + 10


BATCHES = int(os.environ.get("BATCHES", 10))
#: What addresses of random prefixes begin with, and the prefixes' lengths, by family.
STARTS = {4: (0x14000000, 0x14010000, 0x14010200), 6: (0x20010DB8_0100 << 80, 0x20010DB8_0101 << 80, 0x20010DB8_0101 << 80 | 1 << 70)}
LENGTHS = {4: (8, 15, 16, 17, 22, 24, 25, 31, 32), 6: (32, 41, 48, 56, 57, 64, 112, 127, 128)}
LINKS = {4: "10.0.{}.{}", 6: "2001:db8:{}::{}"}


def some_address(chance: random.Random, family: int) -> Address:
    near = chance.randrange(1024) if family == 4 else chance.randrange(1024) << chance.choice((0, 60))
    return ip_address(chance.choice(STARTS[family]) | near)


def some_prefix(chance: random.Random, family: int) -> Network:
    return ip_network((some_address(chance, family), chance.choice(LENGTHS[family])), strict=False)


def gateway(chance: random.Random, family: int) -> str:
    """A gateway, for some IPv4 routes of IPv6, and its device."""
    side, by6 = chance.randrange(2), family == 6 or chance.random() < 0.3
    address = (chance.choice(("fe80::{1}", LINKS[6])) if by6 else LINKS[4]).format(side, chance.randrange(2, 9))
    return f"via {'inet6 ' if by6 and family == 4 else ''}{address} dev eth{side}"


def several(chance: random.Random, family: int) -> str:
    return " ".join(f"nexthop {gateway(chance, family)} weight {chance.randrange(1, 4)}" for _ in range(chance.randrange(2, 4)))


def next_hops(chance: random.Random, family: int) -> str:
    """A line about next-hop objects, of which each family has three, and a group with the number 10 or 20, or about a route by one."""
    one, other = chance.sample(range(1, 4) if family == 4 else range(4, 7), 2)
    group = 10 if family == 4 else 20
    return chance.choice((
        *(f"nexthop replace id {number} {gateway(chance, family)}\n" for number in (one, other)),
        f"nexthop replace id {group} group {one},{chance.randrange(1, 4)}/{other}\n",
        f"nexthop del id {chance.choice((one, group))}\n",
        *(f"route replace {some_prefix(chance, family)} nhid {number} metric 1024\n" for number in (one, group, group)),
    ))  # fmt: skip


def change(chance: random.Random) -> str:
    """A line for `ip -batch`."""
    family, side, other = chance.choice((4, 4, 6)), chance.randrange(2), chance.randrange(2, 9)
    link = LINKS[family].format(side, other)
    if chance.random() < 0.1:
        state = chance.choice(("permanent", "reachable", "stale"))
        how = f"replace {link} lladdr 02:00:00:00:{side:02}:{chance.randrange(16):02x} nud {state}"
        then = chance.choice(("", "", f"neighbour del {link} dev eth{side}\n"))  # of one that isn't there it would end the batch
        return f"neighbour {how} dev eth{side}\n{then}"
    if chance.random() < 0.2:
        return next_hops(chance, family)
    ways = f"via {link}", f"dev eth{side}", "dev lo", "BLACKHOLE", "UNREACHABLE", gateway(chance, family), several(chance, family)
    way = chance.choice(ways)
    kind, way = (way.lower(), "") if way.isupper() else ("", way)
    what = chance.choice(("add", "replace", "replace", "append", "del"))
    prefix = f"{some_prefix(chance, family)} metric {chance.choice((1024, 1024, 5))}"
    return f"route {what} {prefix}\n" if what == "del" else f"route {what} {kind} {prefix} {way}\n"


def rules(chance: random.Random) -> Iterator[str]:
    """Lines that leave rules, or none."""
    for source in ("10.99.0.0/16", "2001:db8:99::/48"):
        yield f"rule del from {source} lookup 100\n"
        if chance.random() < 0.15:
            yield f"rule add from {source} lookup 100\n"


def lookup(table: dict[Network, str], address: Address) -> str:
    """The way of the longest prefix in a table that has an address."""
    found = [(prefix.prefixlen, way) for prefix, way in table.items() if address in prefix]
    return max(found)[1] if found else "- linux"


def differences(router, linux, addresses) -> list[str]:
    """Where ways, and neighbours, aren't Linux's."""
    found = []
    for family, element in ((4, "rt"), (6, "rt6")):
        rows = [line.split(None, 1) for line in router.read(f"{element}.table").splitlines()]
        table = {ip_network(prefix): way for prefix, way in rows}
        has_rules = "lookup 100" in linux.ip(f"-{family}", "rule")
        for address in addresses[family]:
            want, has = wanted(linux, address) if not has_rules else "- linux", lookup(table, address)
            if want not in has.split(", "):
                found.append(f"{address}: {has}, and Linux: {want}, of\n{linux.ip(f'-{family}', 'route', 'show', 'match', str(address))}")
    for side in (0, 1):
        has = {tuple(line.split()[:2]) for line in router.read(f"departure{side}/next.table").splitlines()}
        listed = json.loads(linux.ip("-j", "neighbour", "show", "nud", "all", "dev", f"eth{side}"))
        want = {(each["dst"], each["lladdr"]) for each in listed if "lladdr" in each and not set(each["state"]) & {"FAILED", "INCOMPLETE"}}
        # Linux says nothing when it notes the Ethernet address of a group.
        differ = {(address, ether.lower().replace("-", ":")) for address, ether in has} ^ want
        found += [f"eth{side}: {each}" for each in differ if not ip_address(each[0]).is_multicast]
    return found


def wanted(linux, address: Address) -> str:
    """What `ip route get` says, as tables say it."""
    said = linux.run("ip", "-o", "route", "get", str(address), check=False)
    found = re.match(rf"{address} (?:from :: )?(?:via (?:inet6 )?(\S+) )?dev eth(\d)", said.stdout)
    if found:
        return f"{found[1] or '-'} {found[2]}"
    return "- blackhole" if "Invalid argument" in said.stderr else "- linux"


@pytest.mark.timeout(max(300, 15 * BATCHES))
@pytest.mark.parametrize("batches", [3, pytest.param(BATCHES, marks=pytest.mark.whole)])
def test_random_changes_end_where_linux_ends(accelerated, batches):
    """BATCHES=400 makes some 10,000 changes."""
    router, linux, *_ = accelerated
    for device in ("all", "eth0", "eth1"):
        linux.sysctl(f"net.ipv6.conf.{device}.keep_addr_on_down", "1")
    chance = random.Random(batches)
    for batch in range(batches):
        commands = [change(chance) for _ in range(chance.choice((5, 50)))]
        if chance.random() < 0.5:
            commands.append("link set eth1 down\nlink set eth1 up\n")
        done = linux.run("ip", "-force", "-batch", "-", input="".join((*commands, *rules(chance))), check=False)
        assert done.returncode < 2, f"the rest was not done: {done.stderr}"
        addresses = {family: [some_address(chance, family) for _ in range(15)] for family in (4, 6)}

        if not eventually(lambda asked=addresses: not differences(router, linux, asked), 10):
            pytest.fail("\n".join((f"batch {batch}", *differences(router, linux, addresses), "".join(commands))))


def flows(one, linux, hops) -> dict[int, str]:
    """The next hops, by their Ethernet addresses, that packets of 64 flows to 10.5.0.0/16 leave to."""
    port, with_ends = RawPort(one, "eth0"), [RawPort(*end) for end in hops]
    seen = {}
    try:
        ether = Ether(dst=linux.mac("eth0"), src=one.mac("eth0"))
        for number in range(64):
            port.send(bytes(ether / IP(src="10.0.0.2", dst=f"10.5.0.{number}") / UDP(sport=1, dport=2) / b"flow"))
        for end in with_ends:
            while frame := end.receive(0.5):
                packet = Ether(frame)
                if IP in packet and packet[IP].dst.startswith("10.5."):
                    seen[int(packet[IP].dst.rpartition(".")[2])] = packet.dst
    finally:
        port.close()
        for end in with_ends:
            end.close()
    return seen


def test_flows_stay_when_a_next_hop_goes(accelerated):
    """Weights decide how many flows a next hop has; when one goes, only its flows move, and they come back with it."""
    router, linux, one, two = accelerated
    assert router.gets("10.0.1.0/24", "- 1")
    macs = {f"10.0.1.{n}": f"02:00:00:00:01:{n:02x}" for n in (11, 12, 13)}
    for address, mac in macs.items():
        linux.neighbour("eth1", address, mac)
    assert eventually(lambda: all(f"{address} " in router.read("departure1/next.table") for address in macs))

    def route(*hops):
        linux.ip("route", "replace", "10.5.0.0/16", *(word for hop, weight in hops for word in ("nexthop", "via", hop, "weight", weight)))
        listed = ", ".join(f"{hop} 1" for hop, _ in hops)
        assert eventually(lambda: sorted((router.row("10.5.0.0/16") or "").split(", ")) == listed.split(", "), 10)
        return flows(one, linux, [(two, "eth0")])

    three = [("10.0.1.11", "2"), ("10.0.1.12", "1"), ("10.0.1.13", "1")]
    all_of_them = route(*three)
    assert len(all_of_them) == 64
    shares = [sum(mac == macs[hop] for mac in all_of_them.values()) for hop, _ in three]
    assert shares[0] > max(shares[1:]) and min(shares) > 4
    without = route(*three[:2])
    moved = {number for number, mac in all_of_them.items() if without[number] != mac}
    assert len(without) == 64 and moved == {number for number, mac in all_of_them.items() if mac == macs["10.0.1.13"]}
    # Linux's setting says by what flows differ, also while the router runs: these by their destination, and not by their source.
    linux.sysctl("net.ipv4.fib_multipath_hash_policy", "3")
    for fields, ways in (("1", 1), ("2", 2)):
        linux.sysctl("net.ipv4.fib_multipath_hash_fields", fields)
        assert eventually(lambda want=fields: router.read("rt.fields") == want)
        assert len(set(flows(one, linux, [(two, "eth0")]).values())) == ways


@pytest.mark.parametrize("accelerated", [(), ("--no-kernel",)], ids=["xdp", "runtime"], indirect=True)
def test_ipv4_routes_by_ipv6_gateways(accelerated):
    """Of a route, a next-hop object, and some of several next hops: packets leave to the gateway's Ethernet address."""
    router, linux, one, two = accelerated
    macs = {address: f"02:00:00:00:01:{n:02x}" for n, address in enumerate(("fe80::11", "2001:db8:1::12", "10.0.1.13"))}
    for address, mac in macs.items():
        linux.neighbour("eth1", address, mac)
    ways = [f"via inet6 {each}" if ":" in each else f"via {each}" for each in macs]
    linux.ip("nexthop", "add", "id", "7", *ways[1].split(), "dev", "eth1")
    for route, gateways in (
        (f"{ways[0]} dev eth1", ["fe80::11"]),
        ("nhid 7", ["2001:db8:1::12"]),
        (" ".join(f"nexthop {way} dev eth1" for way in ways), list(macs)),
    ):
        linux.ip("route", "replace", "10.5.0.0/16", *route.split())
        rows = {f"{each} 1" for each in gateways}
        assert eventually(lambda want=rows: set((router.row("10.5.0.0/16") or "").split(", ")) == want), route
        assert eventually(lambda: all(f"{each} " in router.read("departure1/next.table") for each in macs))
        before = int(router.read("out1.count"))
        seen = flows(one, linux, [(two, "eth0")])
        assert len(seen) == 64 and set(seen.values()) == {macs[each] for each in gateways}
        assert int(router.read("out1.count")) == before + 64


def test_two_devices_are_what_the_file_has():
    text = (CONFIGS / "linuxrouter.click").read_text()
    assert with_devices(text, ["eth0", "eth1"], {"eth0", "eth1"}) == text
    assert "rt[2] -> departure2 :: Departure(wan)" in with_devices(text, ["eth0", "eth1", "wan"], {"wan"})


@pytest.mark.whole
@pytest.mark.parametrize("devices", [8, 32])
def test_many_devices(devices):
    """They take the compiler time in proportion, and the kernel accepts the programs: packets are Linux's as long as nothing is known."""
    names = [f"eth{number}" for number in range(devices)]
    text = with_devices((CONFIGS / "linuxrouter.click").read_text(), names, names)
    with Router(text, "bpf") as made:
        for packet in (IP(src="10.0.0.2", dst="10.0.1.2") / UDP(), IPv6(src="2001:db8::2", dst="2001:db8:1::2") / UDP()):
            made.send(names[-1], Ether() / packet)
        assert made.read("linux.count") == "2"


def test_its_packets_can_be_traced():
    """The stack of a traced program has room for what the file does."""
    Compilation(check_text((CONFIGS / "linuxrouter.click").read_text(), Library.standard()), Options(traced=())).build_bpf()


def test_ipv6_is_left_to_linux_where_linux_does_not_forward_it():
    text = (CONFIGS / "linuxrouter.click").read_text()
    one = with_devices(text, ["eth0", "eth1"], {"eth1"})
    ways = {(c.source.element, c.source.port): c.target.element for c in check_text(one, Library.standard()).router.connections}
    assert ways["in1", 0] == ways["only4_0", 1] == "arrival" and ways["in0", 0] == "only4_0" and ways["only4_0", 0] == "linux"


@pytest.mark.needs("nft")
def test_what_it_refuses(linux):
    router, one, two = linux

    def refused(*words):
        with pytest.raises(ClickError) as error:
            commands.run(router, "accelerate", "--dry-run", *words, check=True)
        return str(error.value)

    assert "no device eth9" in refused("eth0", "eth9")
    router.run("nft", "add table inet guard; add chain inet guard f { type filter hook forward priority 0; }")
    router.run("nft", "add rule inet guard f ip daddr 10.0.1.3 drop")
    assert "nft table inet guard, chain f (forward)" in refused("eth0", "eth1") and "--ignore-netfilter" in refused("eth0", "eth1")
    assert "LinuxIP6Lookup: CHUNKS: out of range" in refused("--ignore-netfilter", "eth0", "eth1", "CHUNKS6=0")
    done = commands.run(router, "accelerate", "--dry-run", "--ignore-netfilter", "eth0", "eth1", check=True)
    assert "accelerate would be loaded" in done.stdout and "IPv6" not in done.stderr
    router.ip("xfrm", "policy", "add", "src", "10.0.0.0/24", "dst", "10.9.0.0/24", "dir", "fwd")
    assert "IPsec (ip xfrm policy)" in refused("eth0", "eth1")
    router.run("tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", "1mbit", "burst", "10k", "latency", "50ms")
    router.sysctl("net.ipv6.conf.eth1.forwarding", "0")
    done = commands.run(router, "accelerate", "--dry-run", "--ignore-netfilter", "eth0", "eth1", check=True)
    assert "eth1: IPv6 packets are left to Linux, which doesn't forward them" in done.stderr and "eth0: IPv6" not in done.stderr
    assert "eth0: forwarded packets bypass its qdisc tbf" in done.stderr and "eth1: forwarded" not in done.stderr
    router.ip("link", "add", "br0", "type", "bridge")
    router.ip("link", "set", "eth1", "master", "br0")
    assert "eth1 is a port of the bridge br0" in refused("--ignore-netfilter", "eth0", "eth1")
    router.sysctl("net.ipv4.conf.eth0.forwarding", "0")
    assert "net.ipv4.conf.eth0.forwarding=1" in refused("eth0")
    router.sysctl("net.ipv4.ip_forward", "0")
    assert "ip_forward=1" in refused("eth0")
