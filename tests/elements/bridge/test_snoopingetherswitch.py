"""SnoopingEtherSwitch: who listens, where multicast goes (RFC 4541, 2.1 and 3), and what the kernel does by itself."""

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import (
    ICMPv6MLDMultAddrRec,
    ICMPv6MLDone,
    ICMPv6MLQuery,
    ICMPv6MLQuery2,
    ICMPv6MLReport,
    ICMPv6MLReport2,
    IPv6,
    IPv6ExtHdrHopByHop,
    PadN,
    RouterAlert,
)
from scapy.layers.l2 import Ether
from tests.axes import axis
from tests.elements.swapped import runtime, verdicts_while_state_moves

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import COPIED, DROPPED, HANDED, SENT
from clickbpf.testing.packets import IPV6
from clickbpf.testing.reach import Reach

GROUP, OTHER = "ff15::1234", "ff15::99"
ALERT = IPv6ExtHdrHopByHop(options=[RouterAlert(), PadN(optdata=b"")])
IS_INCLUDE, IS_EXCLUDE, TO_INCLUDE, TO_EXCLUDE, ALLOW, BLOCK = range(1, 7)
EVERYWHERE = {"eth1", "eth2", "eth3"}


def switch(ports=4, arguments=""):
    lines = (f"FromDevice(eth{i}) -> [{i}]s[{i}] -> Queue -> ToDevice(eth{i});" for i in range(ports))
    return f"s :: SnoopingEtherSwitch({arguments}); {' '.join(lines)}"


def mac(port):
    return f"02:00:00:00:00:{port:02x}"


def to_group(group, port, payload, source=None, hops=64):
    low = IPv6(dst=group).build()[36:40]
    ether = Ether(src=mac(port), dst="33:33:" + ":".join(f"{byte:02x}" for byte in low), type=0x86DD)
    return ether / IPv6(src=source or f"fe80::{port + 1}", dst=group, hlim=hops) / payload


def data(port, group=GROUP):
    return to_group(group, port, UDP(sport=1, dport=2) / b"data")


def message(port, group, made, **fields):
    return to_group(group, port, ALERT / made, **{"hops": 1, **fields})


def report(port, group=GROUP, kind=IS_EXCLUDE, sources=(), **fields):
    record = ICMPv6MLDMultAddrRec(rtype=kind, dst=group, sources=list(sources))
    return message(port, "ff02::16", ICMPv6MLReport2(records=[record]), **fields)


def query(port, group="::", delay=10000, **fields):
    return message(port, "ff02::1" if group == "::" else group, ICMPv6MLQuery2(mladdr=group, mrd=delay), **fields)


def sends(router, packet):
    """The devices that it leaves by, unchanged; it comes from the port that its Ethernet address says."""
    packet = bytes(packet)
    outputs = router.send(f"eth{packet[11]}", packet)
    assert {output.data for output in outputs} <= {packet}
    assert len({output.device for output in outputs}) == len(outputs)
    return {output.device for output in outputs}


@pytest.fixture
def snooping(router):
    return lambda ports=4, arguments="": router(switch(ports, arguments), simtime=True)


@pytest.mark.parametrize("ports", [4, 6])
def test_groups_go_where_somebody_listens(snooping, ports):
    r = snooping(ports)
    others = {f"eth{port}" for port in range(1, ports)}
    assert sends(r, data(0)) == others
    sends(r, report(2))
    assert sends(r, data(0)) == {"eth2"}
    assert sends(r, data(2)) == set(), "the only one who listens has sent it"
    assert sends(r, data(0, OTHER)) == others
    sends(r, report(3))
    assert sends(r, data(0)) == {"eth2", "eth3"}
    assert sends(r, data(3)) == {"eth2"}
    assert r.read("s.groups") == f"{GROUP} 2 3\n"


def test_ports_with_routers_have_all_groups(snooping):
    r = snooping()
    assert sends(r, report(2)) == {"eth0", "eth1", "eth3"}, "nobody has asked: everybody hears what is reported"
    assert sends(r, query(1)) == {"eth0", "eth2", "eth3"}
    assert r.read("s.routers") == "1"
    assert sends(r, data(0)) == {"eth1", "eth2"}
    assert sends(r, report(3)) == {"eth1"}
    r.advance(256)
    assert r.read("s.routers") == ""
    assert sends(r, data(0)) == {"eth2", "eth3"}


def test_what_nobody_has_reported(snooping):
    r = snooping(arguments="FLOOD false")
    assert sends(r, data(0)) == set()
    sends(r, query(1))
    assert sends(r, data(0)) == {"eth1"}
    assert sends(r, data(0, "ff02::1")) == EVERYWHERE
    assert sends(r, data(0, "ff11::5")) == EVERYWHERE


def test_what_isnt_ipv6_multicast_is_switched(snooping):
    r = snooping()
    sends(r, report(2))
    broadcast = Ether(src=mac(0), dst="ff:ff:ff:ff:ff:ff", type=0x88B5) / bytes(46)
    assert sends(r, broadcast) == EVERYWHERE
    assert sends(r, Ether(src=mac(0), dst="33:33:00:00:12:34", type=0x88B5) / bytes(46)) == EVERYWHERE
    sends(r, data(3))
    assert sends(r, Ether(src=mac(0), dst=mac(3)) / IPv6(src="fe80::1", dst="fe80::4") / UDP()) == {"eth3"}


def test_groups_are_forgotten(snooping):
    """RFC 3810, 9.4: 260 seconds after the last report."""
    r = snooping()
    for _ in range(2):
        sends(r, report(2))
        r.advance(259)
        assert sends(r, data(0)) == {"eth2"}
    r.advance(2)
    assert sends(r, data(0)) == EVERYWHERE
    assert r.read("s.groups") == ""


@pytest.mark.parametrize("delay, seconds", [(1000, 2), (0x8000 | 1 << 12, 2 * 65.536)])
def test_who_does_not_answer_for_a_group_has_gone(snooping, delay, seconds):
    """RFC 3810, 7.6.3.2 and 5.1.3: twice the time that a listener has."""
    r = snooping()
    for port in (2, 3):
        sends(r, report(port))
    sends(r, report(2, kind=TO_INCLUDE))
    assert sends(r, data(0)) == {"eth2", "eth3"}, "others may listen at that port"
    assert sends(r, query(1, GROUP, delay)) == {"eth0", "eth2", "eth3"}
    sends(r, report(3))
    r.advance(seconds - 0.3)
    assert sends(r, data(0)) == {"eth1", "eth2", "eth3"}
    r.advance(0.6)
    assert sends(r, data(0)) == {"eth1", "eth3"}


def test_a_query_that_routers_leave_their_timers_for(snooping):
    r = snooping()
    sends(r, report(2))
    for packet in (
        message(1, GROUP, ICMPv6MLQuery2(mladdr=GROUP, mrd=1000, S=1)),
        message(1, GROUP, ICMPv6MLQuery2(mladdr=GROUP, mrd=1000, sources=["2001:db8::1"])),
    ):
        sends(r, packet)
    r.advance(100)
    assert sends(r, data(0)) == {"eth1", "eth2"}


def framed_to(packet, address):
    return bytes.fromhex(address.replace(":", "")) + bytes(packet)[6:]


@pytest.mark.parametrize("made", [ICMPv6MLQuery2(mladdr=GROUP, mrd=1000), ICMPv6MLQuery(mladdr=GROUP, mrd=1000)])
@pytest.mark.parametrize(
    "destination, frame",
    [
        ("ff02::1", None), (OTHER, None), ("ff02::16", None), ("ff15::1:1234", None),
        (GROUP, "33:33:00:00:00:01"), (GROUP, "33:33:00:00:12:35"),
    ],
)  # fmt: skip
def test_a_query_asks_those_that_get_it(snooping, made, destination, frame):
    """RFC 3810, 5.1.15, and RFC 2710, 5: one for a group is sent to the group; or else listeners lose it who haven't heard."""
    r = snooping()
    sends(r, report(2))
    packet = message(1, destination, made)
    sends(r, framed_to(packet, frame) if frame else packet)
    assert r.read("s.routers") == ""
    r.advance(100)
    assert sends(r, data(0)) == {"eth2"}


@pytest.mark.parametrize("destination", [GROUP, "ff02::2", "ff02::16"])
def test_a_query_for_all_is_sent_to_all(snooping, destination):
    r = snooping()
    sends(r, message(1, destination, ICMPv6MLQuery2(mladdr="::", mrd=1000)))
    assert r.read("s.routers") == ""


def test_messages_of_the_first_version(snooping):
    """RFC 2710: a report is sent to the group itself, Done to all routers."""
    r = snooping()
    sends(r, message(1, "ff02::1", ICMPv6MLQuery(mladdr="::")))
    assert sends(r, message(2, GROUP, ICMPv6MLReport(mladdr=GROUP))) == {"eth1"}
    assert sends(r, data(0)) == {"eth1", "eth2"}
    assert sends(r, message(2, "ff02::2", ICMPv6MLDone(mladdr=GROUP))) == {"eth1"}
    sends(r, message(1, GROUP, ICMPv6MLQuery(mladdr=GROUP, mrd=1000)))
    r.advance(2.4)
    r.write("s.timeout", "300")
    assert r.read("s.groups") == ""


@pytest.mark.parametrize(
    "kind, sources, listens",
    [
        (IS_INCLUDE, ["2001:db8::1"], True), (IS_EXCLUDE, [], True), (TO_INCLUDE, ["2001:db8::1"], True), (TO_EXCLUDE, [], True),
        (ALLOW, ["2001:db8::1", "2001:db8::2"], True), (IS_INCLUDE, [], False), (TO_INCLUDE, [], False), (BLOCK, ["2001:db8::1"], False),
    ],
)  # fmt: skip
def test_records(snooping, kind, sources, listens):
    """The second one is found after the first one's sources."""
    r = snooping()
    records = [ICMPv6MLDMultAddrRec(rtype=kind, dst=group, sources=sources) for group in (GROUP, OTHER)]
    sends(r, message(2, "ff02::16", ICMPv6MLReport2(records=records)))
    assert r.read("s.groups") == (f"{OTHER} 2\n{GROUP} 2\n" if listens else "")


def spoilt(packet, at, value):
    packet = bytearray(bytes(packet))
    packet[at] = value
    return bytes(packet)


@pytest.mark.parametrize(
    "packet",
    [
        report(2, hops=2),
        report(2, source="2001:db8::2"),
        spoilt(report(2), 64, 77),
        spoilt(spoilt(report(2), 56, 1), 57, 4),
        to_group("ff02::16", 2, ICMPv6MLReport2(records=[ICMPv6MLDMultAddrRec(rtype=2, dst=GROUP)]), hops=1),
        report(2, group="ff02::1"),
        report(2, group="ff11::1234"),
        report(2, group="2001:db8::1"),
    ],
    ids=["hop limit", "source", "checksum", "no alert", "no options", "all nodes", "an interface", "no group"],
)
def test_what_teaches_nothing(snooping, packet):
    r = snooping()
    sends(r, packet)
    assert r.read("s.groups") == ""
    sends(r, query(1, source="::"))
    assert r.read("s.routers") == ""


def test_who_has_no_address_yet_reports_all_the_same(snooping):
    """RFC 3590."""
    r = snooping()
    sends(r, report(2, source="::"))
    assert r.read("s.groups") == f"{GROUP} 2\n"


def test_a_report_that_lies_about_its_records(snooping):
    r = snooping()
    record = ICMPv6MLDMultAddrRec(rtype=IS_EXCLUDE, dst=GROUP)
    sends(r, message(2, "ff02::16", ICMPv6MLReport2(records=[record], records_number=65535)))
    beyond = ICMPv6MLDMultAddrRec(rtype=ALLOW, dst=OTHER, sources=[], sources_number=60000)
    sends(r, message(3, "ff02::16", ICMPv6MLReport2(records=[beyond, record])))
    assert r.read("s.groups") == f"{OTHER} 3\n{GROUP} 2\n"


def test_the_table_is_bounded(snooping):
    """Two places of four groups: those that found no room go to all ports, none is lost."""
    r = snooping(arguments="GROUPS 4")
    for number in range(100):
        sends(r, report(2, f"ff15::{number + 1:x}"))
    remembered = {line.split()[0] for line in r.read("s.groups").splitlines()}
    assert 4 < len(remembered) <= 8 and "ff15::64" in remembered
    for number in range(100):
        group = f"ff15::{number + 1:x}"
        assert sends(r, data(0, group)) == ({"eth2"} if group in remembered else EVERYWHERE)


def remembered(router):
    return {line.split()[0]: line.split()[1:] for line in router.read("s.groups").splitlines()}


def flood(router, port, groups=1000):
    for first in range(0, groups, 50):
        records = [ICMPv6MLDMultAddrRec(rtype=IS_EXCLUDE, dst=f"ff15::{port}:{number:x}") for number in range(first, first + 50)]
        sends(router, message(port, "ff02::16", ICMPv6MLReport2(records=records)))


@pytest.mark.parametrize("is_first", [True, False])
def test_a_port_takes_no_other_ports_share(snooping, is_first):
    """128 places, of which one port would like a thousand; the others' few stay, or find room."""
    r = snooping(arguments="GROUPS 64")
    few = [(port, f"ff15::{port}") for port in (1, 2)]
    if is_first:
        flood(r, 3)
    for port, group in few:
        sends(r, report(port, group))
        r.advance(1)
    flood(r, 3)
    assert {group: remembered(r)[group] for _, group in few} == {group: [str(port)] for port, group in few}
    assert 100 < len(remembered(r)) <= 128
    known = set(remembered(r)) - {group for _, group in few}
    assert known <= {f"ff15::3:{number:x}" if number else "ff15::3:0" for number in range(1000)}


def test_groups_that_several_ports_listen_to_stay_longest(snooping):
    """Even if they are counted for a port that wants more than its share."""
    r = snooping(arguments="GROUPS 64")
    for port in (3, 2):
        sends(r, report(port))
        r.advance(1)
    flood(r, 3)
    assert remembered(r)[GROUP] == ["2", "3"]


def test_evictions_are_counted(snooping):
    """Of groups that somebody still listens to."""
    r = snooping(arguments="GROUPS 4")
    flood(r, 3, 200)
    assert 0 < len(remembered(r)) <= 8
    assert int(r.read("s.evicted")) == 200 - len(remembered(r))
    before = r.read("s.evicted")
    r.advance(300)
    flood(r, 2, 50)
    assert int(r.read("s.evicted")) - int(before) == 50 - len(remembered(r)), "those whose time is over make room at no cost"


def test_a_listener_that_stays_pays_for_the_group(snooping):
    """Who reported it first has gone, and asks for more than its share now: the group isn't one of those."""
    r = snooping(arguments="GROUPS 64")
    sends(r, report(3))
    r.advance(200)
    sends(r, report(2))
    r.advance(100)
    sends(r, report(2))
    flood(r, 3)
    assert remembered(r)[GROUP] == ["2"]


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("hook", axis("bpf", "tc"))
def test_the_kernel_makes_the_copies(hook):
    with start(switch(), hook, simtime=True) as router:
        for port in range(4):
            router.send(f"eth{port}", bytes(data(port)))
        assert router.run("eth0", bytes(data(0)))[0] == COPIED
        assert router.run("eth2", bytes(report(2)))[0] == HANDED
        router.send("eth2", bytes(report(2)))
        assert router.run("eth0", bytes(data(0)))[0] == SENT
        assert router.run("eth2", bytes(data(2)))[0] == DROPPED
        router.send("eth3", bytes(report(3)))
        assert router.run("eth0", bytes(data(0)))[0] == COPIED
        assert router.run("eth3", bytes(data(3)))[0] == SENT


def test_executors_agree():
    assert_equivalent(switch(3), 2000, mix=IPV6)


PUNTS = [Reach("SnoopingEtherSwitch", 6, 6, packets=[("in0", bytes(packet)) for packet in (data(0), data(0), report(2), query(1))])]
UNREACHED = {
    "SnoopingEtherSwitch": {
        "snoopingetherswitch.c: if (ports != (((1u << SELF(noutputs)) - 1) & ~(1u << input))) return PUNT;": "this test makes no copies",
    }
}


def test_mistakes(refused_router):
    lines = " ".join(f"Idle -> [{i}]s[{i}] -> Discard;" for i in range(32))
    assert "more than 31 ports" in refused_router(f"s :: SnoopingEtherSwitch; {lines}")


class TestSwap:
    """Who listens is known to a router that takes another's place: the next report may be two minutes away."""

    @pytest.fixture
    def old(self):
        made = runtime(switch(arguments="FLOOD false"))
        for each in (query(1), report(2), report(3, group=OTHER)):
            made.inject("eth" + str(int(bytes(each)[11])), bytes(each))
        for port in range(4):
            made.collect(f"eth{port}")
        yield made
        made.close()

    @pytest.mark.parametrize("ports, listeners, routers", [(4, f"{OTHER} 3\n{GROUP} 2\n", "1"), (3, f"{GROUP} 2\n", "1")])
    def test_listeners_and_routers_of_ports_that_are_still_there(self, old, ports, listeners, routers):
        new = runtime(switch(ports, "FLOOD false, GROUPS 8"), replaces=old)
        assert (new.handlers.read("s", "groups"), new.handlers.read("s", "routers")) == (listeners, routers)
        new.inject("eth0", bytes(data(0)))
        assert [len(new.collect(f"eth{port}")) for port in range(ports)] == [0, 1, 1, 0][:ports]
        new.close()

    def test_the_kernel_path_drops_nothing_before_it_knows(self, old, monkeypatch):
        found = verdicts_while_state_moves(monkeypatch, old, switch(arguments="FLOOD false"), "s", "eth0", bytes(data(0)))
        assert found[0] == HANDED and found[1] != DROPPED

    @pytest.mark.parametrize("other, asks", [("fe80::1", "false"), ("fe80::ffff:ffff:ffff:ffff", "true")])
    def test_who_asks(self, other, asks):
        """The switch stays silent while a querier with a lower address lives (RFC 3810, 7.6.2)."""
        text = switch(arguments="QUERIER 02:00:00:00:00:55")
        old = runtime(text)
        old.inject("eth1", bytes(query(1, source=other)))
        new = runtime(text, replaces=old)
        new.settle()
        assert new.handlers.read("s", "querier") == asks
        new.close()
