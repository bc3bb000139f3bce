"""IPRateMonitor: rates by address, closer where there is much traffic."""

from itertools import cycle
from random import Random

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from tests.axes import few
from tests.elements.two_cpus import run_on_two_cpus, two_cpus

from clickbpf.testing.equivalence import Twins, arrivals, assert_equivalent
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import HANDED
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.checksum import checksum
from clickbpf.testing.record import split_record
from clickbpf.testing.single import Surroundings

PACKET = IP(src="18.26.4.9", dst="2.0.0.2") / UDP() / bytes(72)
#: What the sources of the first packets of many networks put in.
_FIRST = bytes(IP(src="0.0.0.0", dst="2.0.0.2", chksum=0) / UDP(chksum=0))


def first_of(*source: int) -> bytes:
    """A packet from an address of these four bytes: many are made in less time than by scapy."""
    header = _FIRST[:12] + bytes(source) + _FIRST[16:20]
    return header[:10] + checksum(header).to_bytes(2, "big") + header[12:] + _FIRST[20:]


@pytest.fixture
def monitor(element):
    def make(arguments="PACKETS, 1, 256", ports=2):
        return element(f"IPRateMonitor({arguments})", ninputs=ports, noutputs=ports, headers="ip-checked", simtime=True)

    return make


def stream(x, packet=PACKET, port=0, rate=1000, seconds=2.0) -> None:
    raw = bytes(packet)
    for _ in range(int(rate * seconds)):
        x.send(raw, port)
        x.expect(port)
        x.router.advance(1 / rate)


def rates(x) -> dict[str, tuple[float, float]]:
    """What `look` says, by address."""
    rows = [line.strip().split("\t") for line in x.read("look").splitlines()[1:]]
    return {name: (float(forward), float(reverse)) for name, forward, reverse in rows}


@pytest.mark.whole
@pytest.mark.executors("native")
def test_a_busy_host_is_found(monitor):
    x = monitor()
    stream(x)
    found = rates(x)
    assert list(found) == ["18", "18.26", "18.26.4", "18.26.4.9"]
    for forward, reverse in found.values():
        assert forward == pytest.approx(1000, rel=0.01)
        assert reverse == 0
    assert x.read("look").splitlines()[4].startswith("\t\t\t18.26.4.9\t")


@pytest.mark.executors("native")
def test_annotations_and_directions(monitor):
    """The annotations FWD_RATE and REV_RATE share bytes with AGGREGATE and EXTRA_PACKETS."""
    x = monitor()
    stream(x, rate=200)
    stream(x, IP(src="2.0.0.2", dst="18.26.4.7") / UDP(), port=1, rate=100)
    x.send(PACKET, 0)
    carried = x.expect(0).carried
    assert carried["REV_RATE"] == pytest.approx(100, rel=0.05)
    assert carried["FWD_RATE"] < 5
    assert list(rates(x)) == ["18"]


@pytest.mark.executors("native")
@pytest.mark.parametrize("arguments, expected", [("BYTES, 1, 1000000", 100_000), ("PACKETS, 0.5, 10000", 500)])
def test_what_is_counted(monitor, arguments, expected):
    x = monitor(arguments, ports=1)
    stream(x, seconds=1)
    assert rates(x)["18"][0] == pytest.approx(expected, rel=0.3)


@pytest.mark.executors("native")
def test_quiet_networks_are_folded_and_held_ones_stay_whole(monitor):
    x = monitor()
    stream(x, seconds=0.5)
    assert len(rates(x)) == 4
    x.write("anno_level", "18.26.4.9, 1, 100")
    assert list(rates(x)) == ["18", "18.26"]
    stream(x, seconds=0.5)
    assert list(rates(x)) == ["18", "18.26"]
    used = int(x.read("mem"))
    x.router.advance(20)
    for address in range(2):
        x.gives(IP(src=f"200.0.0.{address}") / UDP())
        x.router.advance(1.1)
    assert int(x.read("mem")) < used
    x.write("reset")
    assert rates(x) == {}


@pytest.mark.executors("native")
def test_memory_is_bounded(monitor):
    x = monitor("PACKETS, 1, 1, 100", ports=1)
    assert x.read("memmax") == "102400"
    for number in range(400):
        packet = first_of(number % 200, number // 200, 0, 1)
        for _ in range(3):
            x.gives(packet)
            x.router.advance(0.008)
        assert int(x.read("mem")) <= 102400
    x.write("memmax", "0")
    assert x.read("memmax") == "0"


def test_packets_without_a_mark_pass(element):
    x = element("IPRateMonitor(PACKETS, 1, 1)")
    x.passes(bytes(60))


def test_mistakes(refused, monitor):
    assert 'monitor type should be "PACKETS" or "BYTES"' in refused("IPRateMonitor(BITS, 1, 1)")
    assert "ratio must be between 0 and 1" in refused("IPRateMonitor(BYTES, 1.5, 1)")
    x = monitor()
    x.refuses("anno_level", "1.2.3.4, 1", "expecting 3 arguments")
    x.refuses("anno_level", "1.2.3.4, 4, 1", "bound 3")


@pytest.mark.executors("native")
def test_memory_has_an_end(monitor):
    """Each network with a packet in it is busy, so each of 3,000 sources would be looked at closely: 100 kB are full before that, and
    16 MB are the end where there is no limit. What has no room of its own counts for the network around it."""
    x = monitor("PACKETS, 1, 0", ports=1)
    x.write("memmax", "100")
    for number in range(3000):
        x.gives(first_of(1 + number % 200, number % 251, number % 241, 1))
    assert int(x.read("mem")) <= 100 << 10
    assert int(x.read("no_room")) > 0
    y = monitor("PACKETS, 1, 0", ports=1)
    tree = y.router.executor.runtime.instances["x"].state.tree
    tree.memory += 16 << 20
    y.write("memmax", "0")
    stream(y, seconds=0.1)
    assert (y.read("memmax"), list(rates(y)), int(y.read("no_room")) > 0) == ("0", [], True)
    tree.memory -= 16 << 20
    y.write("memmax", "0")
    stream(y, seconds=0.1)
    assert len(rates(y)) == 4


@pytest.mark.executors("native")
@pytest.mark.parametrize("threshold", ["1", "-1000000"])
def test_busy_networks_go_at_once_if_there_is_less_memory(monitor, threshold):
    """Rates far above THRESH, as of 100 Gbit/s, don't have the router stand still."""
    x = monitor(f"PACKETS, 1, {threshold}, 4000", ports=1)
    for number in range(300):
        x.send(first_of(18, 26, number % 200, number % 100))
        if number % 100 == 0:
            x.router.advance(0.02)
    state = x.router.executor.runtime.instances["x"].state
    for number in range(1, state.shared.hosts + 1):
        state.hosts[number].average[0] = 10**11
    assert int(x.read("mem")) > 100 << 10
    x.write("memmax", "100")
    assert 0 < int(x.read("mem")) <= 100 << 10


def busy_and_quiet(packets: int) -> list[tuple[str, bytes, float]]:
    """Packets of both directions, most of them of a few hosts, a millisecond apart, with pauses in which rates fall."""
    random, made = Random(3), []
    for _ in range(packets):
        near = random.choice(["18.26.4.9", "18.26.4.9", "18.26.4.7", "18.26.7.1", "18.3.0.1", f"{random.randrange(1, 200)}.0.0.1"])
        direction = random.randrange(2)
        ends = {"src": near, "dst": "2.0.0.2"} if not direction else {"src": "2.0.0.2", "dst": near}
        pause = random.choices([0, 0.001, 0.02, 0.3, 2], [300, 600, 30, 5, 1])[0]
        made.append((f"in{direction}", bytes(Ether() / IP(**ends) / UDP() / bytes(random.randrange(200))), pause))
    return made


#: Arguments, and packets of 2,000 that the kernel path hands over at the most. It needs some for each network that it splits.
MONITORED = {"PACKETS, 1, 100, 4000": 350, "BYTES, 1, 9000, 4000": 350, "PACKETS, 1, 0, 100": 350, "PACKETS, 1, 100, 4000, false": 350}


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("arguments, hook", few(zip(MONITORED, cycle(["bpf", "tc"])), 2, rows=True))
def test_both_executors_measure_alike(arguments, hook):
    """Annotations, and what the handlers say in the end: the tree, its memory, and how often there was none."""
    text = Surroundings(f"IPRateMonitor({arguments})", 2, 2, "ip").text()
    assert_equivalent(text, busy_and_quiet(2000), executors=("native", hook))


@pytest.mark.whole
@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("arguments", MONITORED)
def test_most_packets_stay_in_the_kernel(arguments):
    handed = 0
    with Twins(Surroundings(f"IPRateMonitor({arguments})", 2, 2, "ip").text(record=False)) as both:
        run = both.other.run

        def counting(device, packet):
            nonlocal handed
            result = run(device, packet)
            handed += result[0] == HANDED
            return result

        both.other.run = counting
        for arrival in arrivals(busy_and_quiet(2000), both.entries, both.titles, 1, Mix()):
            both.arrive(arrival)
        assert all(router.read("x.look").count("\n") > 5 for router in (both.one, both.other))
    assert 10 < handed < MONITORED[arguments]


@pytest.mark.whole
@pytest.mark.needs("root", "clang-19")
def test_a_busy_host_is_found_in_the_kernel():
    """Its rate, and that of what is around it, although nearly all of its packets stay there."""
    with start(Surroundings("IPRateMonitor(PACKETS, 1, 256)", 1, 1, "ip").text(record=False), "bpf", simtime=1) as router:
        for _ in range(2000):
            router.send("in0", bytes(Ether() / PACKET))
            router.advance(0.001)
        rows = [line.split() for line in router.read("x.look").splitlines()[1:]]
    assert [row[0] for row in rows] == ["18", "18.26", "18.26.4", "18.26.4.9"]
    assert all(float(row[1]) == pytest.approx(1000, rel=0.01) for row in rows)


@pytest.mark.needs("root", "clang-19")
def test_quiet_networks_are_folded_while_packets_stay_in_the_kernel():
    """By the runtime's timer: no packet is handed over for that, however long the runtime takes."""
    with start(Surroundings("IPRateMonitor(PACKETS, 1, 256)", 1, 1, "ip").text(record=False), "bpf", simtime=1) as router:
        other = bytes(Ether() / IP(src="200.0.0.1") / UDP())
        for _ in range(500):
            router.send("in0", bytes(Ether() / PACKET))
            router.advance(0.001)
        router.send("in0", other)
        used = int(router.read("x.mem"))
        for _ in range(20):
            router.advance(0.3)
            assert router.run("in0", other)[0] != HANDED
        assert int(router.read("x.mem")) < used


#: Of a rate, the average that makes it: bytes in 8 ms, with 10 bits of fraction. 98 Gbit/s in bytes don't fit into 32 bits.
FAST = 10**11
MOST = 2**31 - 1


@pytest.mark.parametrize("kind", ["native", pytest.param("bpf", marks=pytest.mark.needs("root", "clang-19"))])
def test_the_highest_rates(kind):
    """They are above any THRESH, and annotations say the most that they can, of which Block makes that they are too high."""
    text = Surroundings(f"IPRateMonitor(BYTES, 1, {MOST})", 1, 1, "ip").text()
    with start(text, kind, simtime=10**9) as router:
        packet = bytes(Ether() / PACKET)
        router.send("in0", packet)
        router.runtime.instances["x"].state.hosts[1].average[0] = FAST
        for _ in range(5):  # each of the first three is looked at more closely
            (sent,) = router.send("in0", packet)
            assert split_record(sent.data)[0]["FWD_RATE"] == MOST
        rows = [line.split() for line in router.read("x.look").splitlines()[1:]]
    assert rows == [[name, "12207031250", "0"] for name in ("18", "18.26", "18.26.4", "18.26.4.9")]


@pytest.mark.needs("root", "clang-19")
@two_cpus
def test_cpus_that_count_at_the_same_time_lose_nothing():
    """Time stands still, so all are counted in one epoch."""
    text = Surroundings("IPRateMonitor(PACKETS, 1, 1000000000)", 1, 1, "ip-in-ethernet").text(record=False)
    packet, times = bytes(Ether() / PACKET), 2_000_000
    with start(text, "bpf", simtime=1) as router:
        router.send("in0", packet)
        run_on_two_cpus(router, "in0", packet, times)
        assert router.runtime.views["x"]["hosts"][1].current[0] == 2 * times + 1
