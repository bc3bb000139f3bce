"""EtherSwitch: what it learns, where packets go, what it forgets, and what the kernel does by itself."""

import random
import time

import pytest

from clickbpf.testing.equivalence import Twins, assert_equivalent
from clickbpf.testing.executors.bpf import COPIED, HANDED, SENT
from clickbpf.testing.punt import assert_punts_unchanged

BROADCAST, GROUP = "ff:ff:ff:ff:ff:ff", "01:80:c2:00:00:0e"
NATIVE = pytest.mark.executors("native")


def switch(ports: int = 3, arguments: str = "", class_: str = "EtherSwitch") -> str:
    lines = (f"FromDevice(eth{i}) -> [{i}]s[{i}] -> Queue -> ToDevice(eth{i});" for i in range(ports))
    return f"s :: {class_}({arguments}); {' '.join(lines)}"


def host(number: int) -> str:
    return "02:00:00:" + ":".join(f"{number:06x}"[i : i + 2] for i in (0, 2, 4))


def frame(source: str, destination: str, mark: int = 0) -> bytes:
    return bytes.fromhex((destination + source).replace(":", "")) + b"\x88\xb5" + mark.to_bytes(46, "big")


def sends(router, port: int, packet: bytes) -> set[str]:
    """The devices that the packet leaves by, unchanged."""
    outputs = router.send(f"eth{port}", packet)
    assert {output.data for output in outputs} <= {packet}
    assert len({output.device for output in outputs}) == len(outputs)
    return {output.device for output in outputs}


def table(router) -> list[str]:
    return router.read("s.table").splitlines()


A, B = host(1), host(2)


def test_learning_and_forwarding(router):
    r = router(switch())
    assert sends(r, 0, frame(A, B)) == {"eth1", "eth2"}
    assert sends(r, 1, frame(B, A)) == {"eth0"}
    assert sends(r, 0, frame(A, B)) == {"eth1"}
    assert table(r) == ["02-00-00-00-00-01 0", "02-00-00-00-00-02 1"]


def test_to_its_own_network_nothing_is_forwarded(router):
    r = router(switch())
    for source in (A, B):
        sends(r, 0, frame(source, BROADCAST))
    assert sends(r, 0, frame(A, B)) == sends(r, 0, frame(A, A)) == set()
    assert r.dropped("s", "FILTERED") == 2


@pytest.mark.parametrize("group", [BROADCAST, GROUP])
def test_groups_are_for_all_others_always(router, group):
    r = router(switch(4))
    assert sends(r, 1, frame(group, B)) == {"eth0", "eth2", "eth3"}
    assert sends(r, 2, frame(A, group)) == {"eth0", "eth1", "eth3"}


def test_hosts_move(router):
    r = router(switch())
    sends(r, 0, frame(A, BROADCAST))
    sends(r, 2, frame(B, A))
    assert sends(r, 1, frame(A, B)) == {"eth2"}
    assert sends(r, 2, frame(B, A)) == {"eth1"}
    assert table(r)[0] == "02-00-00-00-00-01 1"


def test_a_hub_learns_nothing(router):
    r = router(switch(arguments="TIMEOUT 0"))
    sends(r, 1, frame(B, A))
    assert sends(r, 0, frame(A, B)) == {"eth1", "eth2"}
    assert table(r) == []


def test_addresses_are_forgotten(router):
    r = router(switch(arguments="TIMEOUT 10"), simtime=True)
    sends(r, 0, frame(A, BROADCAST))
    sends(r, 1, frame(B, BROADCAST))
    r.advance(6)
    sends(r, 0, frame(A, B))
    r.advance(6)
    assert sends(r, 2, frame(host(3), A)) == {"eth0"}
    assert sends(r, 2, frame(host(3), B)) == {"eth0", "eth1"}
    assert [line[:17] for line in table(r)] == ["02-00-00-00-00-01", "02-00-00-00-00-03"]


def test_the_timeout_can_be_changed(router):
    r = router(switch(arguments="TIMEOUT 3.7"))
    assert r.read("s.timeout") == "4"
    sends(r, 0, frame(A, BROADCAST))
    r.write("s.timeout", "0")
    assert sends(r, 1, frame(B, A)) == {"eth0", "eth2"}
    r.write("s.timeout", "1min")
    assert r.read("s.timeout") == "60"
    assert sends(r, 1, frame(B, A)) == {"eth0"}
    r.write("s.timeout", "99999999999")
    assert r.read("s.timeout") == "4294967295"
    with pytest.raises(Exception, match="expected timeout"):
        r.write("s.timeout", "often")


@NATIVE
@pytest.mark.parametrize("class_", ["EtherSwitch", "SnoopingEtherSwitch"])
@pytest.mark.parametrize("is_first", [True, False])
def test_no_network_takes_the_others_places(router, class_, is_first):
    """64 places, of which one network would like a thousand: packets for others' hosts would go to it as well."""
    r = router(switch(3, "CAPACITY 1", class_), simtime=True)
    few = [(port, host(100_000 + 2 * number + port)) for number in range(4) for port in (0, 1)]

    def flood():
        for number in range(1000):
            sends(r, 2, frame(host(number), BROADCAST))

    if is_first:
        flood()
    for port, address in few:
        sends(r, port, frame(address, BROADCAST))
    flood()
    for port, address in few:
        assert sends(r, 2, frame(A, address)) == {f"eth{port}"}
    assert len(table(r)) == 64
    # What a network has is its own hosts' in their order; others come only where it has less than most.
    known = [line for line in table(r) if line.endswith(" 2")]
    sends(r, 2, frame(host(2000), BROADCAST))
    assert known == [line for line in table(r) if line.endswith(" 2")]


@NATIVE
def test_nobody_can_choose_addresses_that_push_a_host_out(router):
    """Multiples of a Fibonacci number are neighbours under a multiplication by the golden ratio (Knuth, 6.4): of a table of
    2^14 buckets that hashes so, these and the host's want the same two, with room for eight."""
    golden, fibonacci = 0x9E3779B97F4A7C15, 2971215073
    numbers = [2 * fibonacci * i for i in range(1, 18)]
    places = {(number * golden & (1 << 64) - 1) >> 36 for number in numbers}
    assert len(places) == 1
    *attackers, victim = (number.to_bytes(6, "little").hex(":") for number in numbers)
    r = router(switch())
    for attacker in attackers:
        sends(r, 1, frame(attacker, BROADCAST))
    sends(r, 0, frame(victim, BROADCAST))
    assert sends(r, 2, frame(A, victim)) == {"eth0"}
    assert len(table(r)) == len(numbers) + 1


@NATIVE
def test_ten_thousand_addresses_all_have_room(router):
    r = router(switch())
    numbers = random.Random(1).sample(range(1 << 24), 10_000)
    for number in numbers:
        r.send(f"eth{number % 3}", frame(host(number), BROADCAST))
    assert len(table(r)) == 10_000
    for number in numbers[::97]:
        port = number % 3
        assert sends(r, (port + 1) % 3, frame(A, host(number))) == {f"eth{port}"}


@NATIVE
def test_a_full_table_floods_and_never_misleads(router):
    r = router(switch(arguments="CAPACITY 8"))
    asks = host(1000)
    sends(r, 2, frame(asks, BROADCAST))
    for number in range(200):
        r.send(f"eth{number % 2}", frame(host(number), BROADCAST))
    known = {line.split()[0].replace("-", ":").lower(): int(line.split()[1]) for line in table(r)}
    assert 8 <= len(known) <= 64
    for number in range(200):
        expected = {f"eth{number % 2}"} if host(number) in known else {"eth0", "eth1"}
        assert sends(r, 2, frame(asks, host(number))) == expected


@NATIVE
def test_expired_addresses_make_room(router):
    r = router(switch(arguments="CAPACITY 8, TIMEOUT 5"), simtime=True)
    for number in range(200):
        r.send("eth0", frame(host(number), BROADCAST))
    r.advance(6)
    # Of the same network, for which nobody else's would make room.
    sends(r, 0, frame(host(500), BROADCAST))
    assert sends(r, 2, frame(GROUP, host(500))) == {"eth0"}


@NATIVE
def test_the_timeout_goes_by_packets_timestamps(router):
    """As Click's: a dump that is read in a moment may span hours."""
    r = router(
        "s :: EtherSwitch(TIMEOUT 300);"
        "FromDevice(eth0) -> SetTimestamp(1000) -> [0]s[0] -> Queue -> ToDevice(eth0);"
        "FromDevice(eth1) -> SetTimestamp(1299) -> [1]s[1] -> Queue -> ToDevice(eth1);"
        "FromDevice(eth2) -> SetTimestamp(1300) -> [2]s[2] -> Queue -> ToDevice(eth2);"
    )
    sends(r, 0, frame(A, BROADCAST))
    assert sends(r, 1, frame(GROUP, A)) == {"eth0"}
    assert sends(r, 2, frame(GROUP, A)) == {"eth0", "eth1"}


def test_short_frames_are_dropped(element):
    x = element("EtherSwitch", ninputs=2, noutputs=2, before="Truncate(13)")
    x.drops(frame(A, B))
    assert x.dropped("MALFORMED") == 1


# -- what the kernel does by itself ----------------------------------------------------------------------------------------


def chatter(count: int, hosts: int = 12, device: str = "eth") -> list[tuple[str, bytes, float]]:
    """Hosts on three networks that talk to each other and to groups, and sometimes move; each after this many seconds."""
    chance = random.Random(3)
    places = [chance.randrange(3) for _ in range(hosts)]
    packets = []
    for number in range(count):
        source, destination = chance.randrange(hosts), chance.randrange(hosts)
        if chance.random() < 0.05:
            places[source] = chance.randrange(3)
        to = chance.choice((BROADCAST, GROUP, host(99))) if chance.random() < 0.1 else host(destination)
        packets.append((f"{device}{places[source]}", frame(host(source), to, number), chance.choice((0, 0.05, 1))))
    return packets


@pytest.mark.needs("root")
@pytest.mark.parametrize("class_", ["EtherSwitch", "ListenEtherSwitch"])
def test_both_executors_agree(class_):
    listen = "s[3] -> Queue -> ToDevice(ear);" if class_ == "ListenEtherSwitch" else ""
    assert_equivalent(switch(arguments="TIMEOUT 10", class_=class_) + listen, chatter(2000))
    assert_equivalent(switch(class_=class_) + listen, 500)


@pytest.mark.needs("root")
def test_nothing_is_changed_before_a_handover():
    assert_punts_unchanged("EtherSwitch(CAPACITY 32)", 3, 3, packets=chatter(500, 6, "in"))


@pytest.mark.executors("bpf")
def test_known_addresses_stay_in_the_kernel(router):
    r = router(switch())

    def way(port: int, packet: bytes) -> int:
        return r.executor.run(f"eth{port}", packet)[0]

    assert way(0, frame(A, B)) == HANDED
    assert way(1, frame(B, A)) == HANDED
    r.send("eth0", frame(A, B))
    r.send("eth1", frame(B, A))
    assert way(0, frame(A, B)) == way(1, frame(B, A)) == SENT
    assert way(2, frame(A, B)) == HANDED


@pytest.mark.executors("bpf", "tc")
def test_what_is_for_several_networks_stays_there_too(router):
    r = router(switch(arguments="TIMEOUT 10"), simtime=True)
    for port, source in ((0, A), (1, B)):
        r.send(f"eth{port}", frame(source, BROADCAST))
    for to in (BROADCAST, GROUP, host(99)):
        assert r.executor.run("eth0", frame(A, to))[0] == COPIED
        assert sends(r, 0, frame(A, to)) == {"eth1", "eth2"}
    r.advance(8)
    assert sends(r, 0, frame(A, BROADCAST)) == {"eth1", "eth2"}
    r.advance(8)
    assert sends(r, 1, frame(B, A)) == {"eth0"}, "a flood says as well that a host is there"
    assert r.executor.run("eth1", frame(B, B))[0] != HANDED


@pytest.mark.executors("bpf")
def test_where_the_runtime_has_a_port_it_makes_the_copies(router):
    r = router(switch(2) + "FromDevice(eth2) -> [2]s[2] -> Queue -> Unqueue -> Queue -> ToDevice(eth2);")
    r.send("eth0", frame(A, BROADCAST))
    assert r.executor.run("eth0", frame(A, BROADCAST))[0] == HANDED
    assert sends(r, 0, frame(A, BROADCAST)) == {"eth1", "eth2"}


@pytest.mark.needs("root")
def test_many_hosts_in_both():
    with Twins(switch()) as both:
        for number in range(600):
            both.send(f"eth{number % 3}", frame(host(number), host(number ^ 1)))


@pytest.mark.executors("bpf")
def test_the_kernel_path_says_when_by_the_clock_of_timestamps(router):
    """Its own begins with the machine's start."""
    r = router(switch())
    for port, packet in ((0, frame(A, B)), (1, frame(B, A)), (0, frame(A, B))):
        r.send(f"eth{port}", packet)
    table = r.executor.runtime.views["s"]["table"]
    before = max(max(bucket.seen) for bucket in table)
    time.sleep(0.05)
    assert r.executor.run("eth0", frame(A, B))[0] == SENT
    assert before < max(max(bucket.seen) for bucket in table) <= time.time_ns()
