"""A device's packets spread over CPUs: those of a flow on one, where and how it is refused, and what becomes of each packet."""

import json
import os
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack

import pytest
from scapy.layers.inet import IP, TCP, UDP, IPOption_Router_Alert
from scapy.layers.inet6 import IPv6, IPv6ExtHdrFragment
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.packet import Packet, Raw
from tests.attached import compiled, running
from tests.bench.swaps import Traffic, refused
from tests.cli.conftest import execute
from tests.load.conftest import OWN
from tests.waiting import eventually, received

from clickbpf.load.devices.lanes import FIELDS, Lanes
from clickbpf.load.kernel.libbpf import BpfError
from clickbpf.load.life.inplace import Attached
from clickbpf.testing.netns import Namespace
from clickbpf.testing.traffic import RawPort

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "clang-19")

THROUGH = "in :: FromDevice(eth0) -> Queue -> ToDevice(eth1); FromDevice(eth1) -> Discard;"
#: Enough flows for chance to give none of two CPUs nothing: 2 in 2^64.
FLOWS = 64
#: Frames, of a thousandth as many flows, and frames a second, of an overload. $CLICKBPF_FRAMES=10000000 takes minutes.
MANY, OVERLOAD = int(os.environ.get("CLICKBPF_FRAMES", "100000")), 4_000_000


def spread(router, lanes: Lanes, **options) -> AbstractContextManager[Attached]:
    return running(router, compiled(THROUGH, **options), spread=lanes)


def chosen(attached: Attached, entry: RawPort) -> Callable[..., set[int]]:
    """Gives the CPUs that packets go to, each of which is sent."""

    def queued() -> dict[int, int]:
        return {level.cpu: level.queued for level in attached.runtime.path.spreads["eth0"].levels()}

    def cpus(*packets: Packet) -> set[int]:
        before = queued()
        for packet in packets:
            entry.send(bytes(packet))
        assert eventually(lambda: sum(queued().values()) == sum(before.values()) + len(packets), 10)
        return {cpu for cpu, number in queued().items() if number != before.get(cpu, 0)}

    return cpus


def frame(*layers: Packet) -> Packet:
    made = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
    for layer in layers:
        made = made / layer
    return made / Raw(bytes(32))


def between(number: int, back: bool = False, **rest) -> list[Packet]:
    """A packet of each version of IP from one host to another, or back."""
    ends = [(f"10.0.0.{number}", f"10.9.{number}.1"), (f"2001:db8::{number:x}", f"2001:db8:1::{number:x}")]
    ports = {"sport": 1000 + number, "dport": 53} if not back else {"sport": 53, "dport": 1000 + number}
    return [
        frame(version(src=pair[back], dst=pair[not back]), UDP(**ports, **rest)) for version, pair in zip((IP, IPv6), ends)
    ]


def test_packets_of_a_flow_go_to_one_cpu_and_flows_to_all(place):
    router, outside = place
    with spread(router, Lanes((0, 1))) as attached, RawPort(outside, "in0") as entry:
        cpus = chosen(attached, entry)
        for version in (0, 1):
            alone = [cpus(between(number)[version], between(number, back=True)[version]) for number in range(1, FLOWS)]
            assert all(len(each) == 1 for each in alone), "both directions"
            assert set.union(*alone) == {0, 1}
            for number, its in enumerate(alone, 1):
                assert cpus(frame(Dot1Q(vlan=7), Dot1Q(vlan=8), between(number)[version].payload)) == its
        for options in ([], [IPOption_Router_Alert()]):
            flows = [frame(IP(src="10.0.0.1", dst="10.9.0.1", options=options), TCP(sport=n, dport=80)) for n in range(FLOWS)]
            assert cpus(*flows) == {0, 1}


def test_fragments_go_by_their_addresses_and_other_packets_to_the_first_cpu(place):
    router, outside = place
    with spread(router, Lanes((1, 0))) as attached, RawPort(outside, "in0") as entry:
        cpus = chosen(attached, entry)
        first = [frame(IP(src="10.0.0.1", dst="10.9.0.1", flags="MF"), UDP(sport=n, dport=53)) for n in range(FLOWS)]
        later = [frame(IP(src="10.0.0.1", dst="10.9.0.1", frag=n + 1, proto=17)) for n in range(FLOWS)]
        assert len(cpus(*first, *later)) == 1
        ends = {"src": "2001:db8::1", "dst": "2001:db8::2"}
        assert len(cpus(*(frame(IPv6(**ends), IPv6ExtHdrFragment(m=1), UDP(sport=n, dport=53)) for n in range(FLOWS)))) == 1
        others = [frame(ARP(pdst=f"10.0.0.{n}")) for n in range(8)] + [frame(Raw(bytes([n] * 8))) for n in range(8)]
        truncated = [Ether(bytes(frame(version(src=src)))[:30]) for version, src in ((IP, "10.0.0.1"), (IPv6, "2001:db8::1"))]
        assert cpus(*others, *truncated) == {1}


@pytest.mark.whole
@pytest.mark.parametrize("fields", FIELDS[1:])
def test_fields_that_are_not_chosen_make_no_difference(place, fields):
    router, outside = place
    with spread(router, Lanes((0, 1), fields)) as attached, RawPort(outside, "in0") as entry:
        cpus = chosen(attached, entry)

        def packets(src: str, dst: str) -> list[Packet]:
            return [frame(IP(src=src.format(n), dst=dst.format(n)), UDP(sport=n, dport=n)) for n in range(1, FLOWS)]

        assert len(cpus(*packets("10.0.0.1", "10.9.0.1"))) == 1
        assert len(cpus(*packets("10.0.0.1", "10.9.0.{}"))) == (1 if fields == "src" else 2)
        assert len(cpus(*packets("10.0.0.{}", "10.9.0.1"))) == (1 if fields == "dst" else 2)


@pytest.mark.whole
@pytest.mark.parametrize("kernel", [True, False], ids=["kernel", "runtime"])
def test_every_packet_leaves_once_while_routers_change(place, kernel):
    router, outside = place
    sent = [bytes(between(number)[0]) for number in range(1, FLOWS)]
    with spread(router, Lanes((0, 1)), kernel=kernel) as attached, RawPort(outside, "in0") as entry, RawPort(outside, "in1") as exit:
        for turn in range(3):
            for packet in sent:
                entry.send(packet)
            old = attached.runtime
            router.call(attached.replace, compiled(THROUGH.replace("-> Queue", "-> Null" * turn + " -> Queue"), kernel=kernel))
            old.close()
            assert sorted(received(exit, lambda found: len(found) >= len(sent))) == sorted(sent), turn


def overload(attached: Attached, source: Namespace, sink: Namespace) -> None:
    """Send more frames than a router can process: each arrives in its flow's order, or is counted."""
    with ExitStack() as undo:
        traffic = Traffic(source, sink, OVERLOAD, undo, MANY, MANY // 1000)
        traffic.start()
        undo.callback(traffic.stop)
        assert eventually(lambda: traffic.sent == MANY and known(attached, traffic, source) >= MANY, 60 + MANY / 20_000)
        assert (known(attached, traffic, source), traffic.received[1]) == (MANY, 0)


def known(attached: Attached, traffic: Traffic, source: Namespace) -> int:
    """Frames that have arrived, or that were counted where they were lost."""
    lost = sum(sum(attached.runtime.drops(name).values()) for name in attached.runtime.instances)
    return traffic.received[0] + lost + refused((source, "eth0"))


def test_what_has_no_room_is_counted_and_flows_keep_their_order(hosts, monkeypatch):
    """An overload, of queues with room for few packets."""
    monkeypatch.setattr("clickbpf.load.devices.spread.ROOM", 8)
    router, source, sink = hosts
    with spread(router, Lanes((0, 1))) as attached:
        overload(attached, source, sink)
        levels = attached.runtime.path.spreads["eth0"].levels()
        assert all(level.depth == 0 for level in levels)
        assert sum(level.refused for level in levels) == attached.runtime.drops("in")["FULL"] > 0


def test_without_the_tracepoints_packets_go_on(place, monkeypatch, capsys):
    router, outside = place

    def refuse(program) -> None:
        raise BpfError("attaching to a tracepoint", 1)

    monkeypatch.setattr("clickbpf.load.devices.spread.attach_tracepoint", refuse)
    with spread(router, Lanes((0,))), RawPort(outside, "in0") as entry, RawPort(outside, "in1") as exit:
        entry.send(sent := bytes(between(1)[0]))
        assert received(exit, lambda found: len(found) >= 1) == [sent]
    assert "warning: how many packets wait for CPUs is not known" in capsys.readouterr().err


REFUSED = {
    "x": "'x' is neither a CPU, nor a range of CPUs such as 0-3, nor one of flow, hosts, src, dst",
    "src": "'src' names no CPU",
    "0-300": "'0-300' names more than 256 CPUs",
    "0 --hook tc": "--spread is for XDP",
    "0 --mode generic": "--spread needs native XDP",
    "0 --multi": "--spread takes a device's XDP hook for the router alone",
    "0 --frags": "--spread is for devices that have each frame in one buffer",
    "0,200": "--spread: there is no CPU 200",
}


def test_refusals_say_what_would_be_right(place):
    router, _ = place
    for words, message in REFUSED.items():
        done = execute(router, "load", "-n", OWN, "--spread", *words.split(), "-e", THROUGH)
        assert done.status != 0 and message in done.err, words
    assert OWN not in execute(router, "list").out


def test_a_loaded_router_says_where_it_runs_and_replacing_keeps_that(place):
    router, _ = place

    def listed() -> dict:
        return next(each for each in json.loads(execute(router, "list", "--json").out) if each["name"] == OWN)

    def load(*words: str):
        return execute(router, "load", "-n", OWN, *words, "-e", THROUGH)

    try:
        assert load().status == 0
        assert "isn't spread over CPUs, which replacing does not change" in load("--replace", "--spread", "0").err
        assert execute(router, "unload", OWN).status == 0
        assert "eth0: a program is attached in native mode, which runs on CPUs 0,1" in load("--spread", "0,1", "--dry-run").out
        assert load("--spread", "0,1").status == 0
        assert "native, CPUs 0,1" in execute(router, "list").out
        assert load("--replace").status == 0
        assert listed()["spread"] == {"cpus": [0, 1], "fields": "flow", "handing": 0}
        assert load("--replace", "--spread", "1,hosts").status == 0
        assert listed()["spread"] == {"cpus": [1], "fields": "hosts", "handing": 0}
        assert f"eth0 is used by the router {OWN}\n" in execute(router, "load", "-n", f"{OWN}b", "-e", THROUGH).err
    finally:
        execute(router, "unload", OWN)
    assert not os.path.exists(f"/sys/fs/bpf/clickbpf/{OWN}")
