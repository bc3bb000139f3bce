"""Graphs that don't fit one program are cut, the kernel takes the pieces, and the router does the same as ever."""

import re
from random import Random

import pytest

from clickbpf.build.sources import folder
from clickbpf.compile import Compilation, check_text
from clickbpf.objects.hooks import MOST_MAPS
from clickbpf.plan import Options, layout, place
from clickbpf.plan.cut import MOST_TABLES
from clickbpf.plan.values import USER
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root")

FRAMES = 300
LIBRARY = Library.standard()


def line(length: int) -> str:
    """A line of elements between two devices."""
    return f"FromDevice(eth0) -> {' -> '.join(['Strip(1) -> Unstrip(1)'] * length)} -> Queue -> ToDevice(eth1);"


def diamonds(count: int) -> str:
    """Each frame takes one side of every diamond, by a bit of its source address: 2^count ways through one graph."""
    text = "FromDevice(eth0) -> c0 :: Classifier(6/00%01, -);\n"
    for i in range(count):
        following = f"c{i + 1} :: Classifier({6 + (i + 1) % 6}/00%{1 << (i + 1) // 6:02x}, -)" if i + 1 < count else "end :: Null"
        text += f"c{i}[0] -> l{i} :: Counter -> {following}; c{i}[1] -> r{i} :: Counter -> {following.split(' ::')[0]};\n"
    return text + "end -> Queue -> ToDevice(eth1);"


#: Every turn takes one from the TTL, so a packet turns up to 254 times: more often than the kernel follows tail calls.
LOOP = """
FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> turn :: DecIPTTL -> turns :: Counter -> turn;
turn[1] -> Unstrip(14) -> Queue -> ToDevice(eth1);
"""

#: Four hundred outputs that meet again at once: they share one copy of what follows.
FAN = f"FromDevice(eth0) -> s :: RoundRobinSwitch; n :: Null -> Queue -> ToDevice(eth1);s[0-399] => {', '.join(['n'] * 400)};"


def firewall(rules: int) -> str:
    """Rules that have little in common."""
    draw = Random(rules)

    def rule() -> str:
        net, host, port = f"{draw.randrange(1, 224)}.{draw.randrange(256)}.0.0/16", f"10.0.{draw.randrange(256)}.7", draw.randrange(65536)
        return draw.choice((
            f"src net {net} && tcp && dst port {port}",
            f"dst host {host} && udp && src port {port}",
            f"tcp dst port >= {port} && src net {net}",
            f"src host {host} && dst net {net}",
        ))  # fmt: skip

    patterns = ", ".join(f"{draw.choice(('allow', 'deny'))} {rule()}" for _ in range(rules))
    return f"FromDevice(eth0) -> MarkIPHeader(14) -> f :: IPFilter({patterns}, allow icmp, deny all) -> Queue -> ToDevice(eth1);"


def star(devices: int) -> str:
    """The paths of all devices join, and part again by a sixteenth of all addresses each."""
    text = f"ip :: Strip(14) -> CheckIPHeader -> rt :: StaticIPLookup({', '.join(f'{16 * i}.0.0.0/4 {i}' for i in range(devices))});"
    for i in range(devices):
        header = f"0x0800, 02:00:00:00:00:{i:02x}, 02:00:00:00:01:{i:02x}"
        text += f"FromDevice(eth{i}) -> ip; rt[{i}] -> DecIPTTL -> Paint({i}) -> EtherEncap({header}) -> Queue -> ToDevice(eth{i});"
    return text


@pytest.mark.parametrize(
    "text, options, cut",
    [
        (line(60), {"program_limit": 700}, True),
        (diamonds(14), {}, True),
        (LOOP, {}, True),
        (FAN, {}, False),
        (star(16), {}, True),
        (firewall(200), {}, False),
    ],
    ids=["line", "diamonds", "loop", "fan", "star", "firewall"],
)
def test_large_graphs_load_and_agree(text, options, cut):
    compilation = Compilation(check_text(text, LIBRARY), Options(**options))
    assert bool(compilation.plan.jumps) == cut
    assert_equivalent(text, FRAMES, **options)


def rewriters(number: int) -> str:
    """The NAT of "Flexible Control of Parallelism" (5.4), with as many rewriters: each has addresses of its own inside and outside."""
    inside, outside = (", ".join(f"{side} net 10.0.{i}.0/24" for i in range(number)) for side in ("src", "dst"))
    each = "".join(
        f"c[{i}] -> r{i} :: IPRewriter(pattern 10.0.{i}.1 1024-65535 - - 0 1, pass 1, CAPACITY 100); r{i}[0] -> out; r{i}[1] -> back;"
        f"d[{i}] -> [1] r{i};"
        for i in range(number)
    )
    return f"""
        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> c :: IPClassifier({inside}); out :: Unstrip(14) -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> Strip(14) -> CheckIPHeader -> d :: IPClassifier({outside}); back :: Unstrip(14) -> Queue -> ToDevice(eth0);
        {each}
    """


def switches(number: int) -> str:
    """A line of switches, which nobody answers."""
    each = "".join(f"s{i} :: EtherSwitch; s{i}[0] -> Discard;" for i in range(number))
    line = "".join(f"s{i}[1] -> s{i + 1}; Idle -> [1] s{i + 1};" for i in range(number - 1))
    return f"{each} {line} FromDevice(eth0) -> s0; FromDevice(eth1) -> [1] s0; s{number - 1}[1] -> Queue -> ToDevice(eth1);"


def lookups(number: int) -> str:
    lookups = " -> ".join(["RadixIPLookup(0/0 0)"] * number)
    return f"FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> {lookups} -> Unstrip(14) -> Queue -> ToDevice(eth1);"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(lookups(40), id="lookups"),
        pytest.param(switches(64), id="switches", marks=pytest.mark.whole),
        pytest.param(rewriters(32), id="rewriters", marks=pytest.mark.whole),
    ],
)
def test_programs_use_no_more_maps_than_the_kernel_lets_them(text):
    """Nor are they longer than a jump reaches."""
    addresses = ("10.0.3.9", "10.0.30.1", "8.8.8.8")
    mix = Mix(links=weights(ethernet=1), contents=weights(ipv4=20, noise=1), addresses=addresses, ports=(80, 1024))
    assert Compilation(check_text(text, LIBRARY)).plan.jumps
    assert_equivalent(text, FRAMES, mix=mix)


def test_an_element_with_more_tables_than_a_program_may_use_runs_in_user_space(monkeypatch):
    monkeypatch.setattr(place, "MOST_TABLES", 5)
    names = [f"r{i}" for i in range(2)]
    text = rewriters(2) + f"FromDevice(eth2) -> Strip(14) -> CheckIPHeader -> errors :: ICMPRewriter({' '.join(names)}) -> Discard;"
    placements = Compilation(check_text(text, LIBRARY)).plan.placements
    assert placements["errors"].where == USER and placements["errors"].reason == "6 tables are too many for a BPF program"
    assert {placements[name].where for name in names} == {"xdp"}


def test_the_maps_that_are_no_tables_leave_room_for_the_tables_that_a_program_may_use():
    """Those that bpf/ declares, some of which exclude others, and the global variables."""
    declared = {name for file in folder("bpf").glob("*.h") for name in re.findall(r"^\} (\w+) SEC\(\"\.maps\"\)", file.read_text(), re.M)}
    assert {"drops", "jumps", "xsks"} < declared
    assert len(declared | {".rodata", layout.VARS, layout.ARRAYS}) + MOST_TABLES <= MOST_MAPS


def router(interfaces: int) -> str:
    """The forwarding path of an IP router with this many interfaces."""
    networks = "".join(f", 10.0.{i}.0/24 {i + 1}" for i in range(interfaces))
    text = f"""
        ip :: Strip(14) -> CheckIPHeader -> rt :: StaticIPLookup(10.0.0.0/16 0{networks});
        rt[0] -> Discard; replies :: Tee({interfaces});
    """
    for i in range(interfaces):
        address, mac = f"10.0.{i}.1", f"02:00:00:00:0{i}:10"
        text += f"""
            FromDevice(eth{i}) -> c{i} :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
            out{i} :: Queue -> ToDevice(eth{i}); c{i}[3] -> Counter -> Discard;
            c{i}[0] -> ARPResponder({address} {mac}) -> out{i};
            c{i}[1] -> replies; replies[{i}] -> [1] arpq{i} :: ARPQuerier({address}, {mac}) -> out{i};
            c{i}[2] -> Paint({i}) -> ip;
            rt[{i + 1}] -> DropBroadcasts -> IPGWOptions({address}) -> DecIPTTL -> IPFragmenter(1500) -> [0] arpq{i};
        """
    return text


@pytest.mark.whole
@pytest.mark.parametrize("most, name", [(layout.MOST_GLOBAL, layout.GLOBAL_COUNTERS), (0, layout.COUNTERS)])
def test_counters_share_a_map_since_a_program_could_not_use_so_many(monkeypatch, most, name):
    monkeypatch.setattr(layout, "MOST_GLOBAL", most)
    text = router(8)
    manifest = Compilation(check_text(text, LIBRARY)).manifest
    assert {state.map for state in manifest.states if state.state == "counters"} == {name}
    assert len(manifest.maps) < 64
    assert_equivalent(text, FRAMES)


def test_chain_agrees():
    """Every element in a program of its own: what fused paths know at compile time crosses each cut."""
    assert_equivalent(line(8), FRAMES, chain=True)
    assert len(Compilation(check_text(line(8), LIBRARY), Options(chain=True)).plan.programs) == 19


@pytest.mark.parametrize(
    "elements",
    [
        pytest.param("Strip(14) -> MarkIPHeader -> SetUDPChecksum -> Unstrip(14)", id="headers"),
        pytest.param("DropBroadcasts", id="packet type"),
        pytest.param("Paint(3) -> CheckPaint(3)", id="annotations"),
    ],
)
def test_what_an_element_of_another_program_needs_crosses_the_cut(elements):
    assert_equivalent(f"FromDevice(eth0) -> Null -> {elements} -> Queue -> ToDevice(eth1);", FRAMES, chain=True)


def test_a_packet_comes_to_the_input_that_it_was_handed_over_for():
    text = """
        FromDevice(eth0) -> c :: Classifier(12/0800, -); c[0] -> [0] s :: Suppressor; c[1] -> [1] s;
        s[0] -> ip :: Counter -> Discard; s[1] -> others :: Counter -> Discard;
    """
    assert_equivalent(text, FRAMES, user=("s",))


def test_an_element_that_fits_no_program_runs_in_user_space(monkeypatch):
    monkeypatch.setattr(place, "LARGEST", 500)
    plan = Compilation(check_text(firewall(100), LIBRARY), Options()).plan
    assert plan.placements["f"].where == USER and "too many for a BPF program" in plan.placements["f"].reason
