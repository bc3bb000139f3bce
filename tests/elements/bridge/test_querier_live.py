"""SnoopingEtherSwitch asks Linux hosts what they listen to, where no router does."""

import time

import pytest
from scapy.layers.inet6 import ICMPv6MLDMultAddrRec, ICMPv6MLReport2, IPv6, IPv6ExtHdrHopByHop, PadN, RouterAlert
from scapy.layers.l2 import Ether
from tests.elements.bridge.test_snooping_live import GROUP, SWITCH, address, connected, groups, heard, listening, say
from tests.waiting import eventually

from clickbpf.testing.netns import PATIENCE
from clickbpf.testing.traffic import RawPort

pytestmark = [pytest.mark.needs("root", "ip", "ethtool", "clang-19"), pytest.mark.whole]

OWN = "02:00:00:00:00:77"


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    text = SWITCH.replace("SnoopingEtherSwitch", f"SnoopingEtherSwitch(QUERIER {OWN})", 1)
    with connected(text, tmp_path_factory.mktemp("switch")) as made:
        yield made


def claims_to_leave(host):
    """What a host sends that no longer listens to the group (RFC 3810, 5.2.12), from the host that this is."""
    made = Ether(src="02:00:00:00:00:22", dst="33:33:00:00:00:16") / IPv6(src="fe80::ff:fe00:22", dst="ff02::16", hlim=1)
    made /= IPv6ExtHdrHopByHop(options=[RouterAlert(), PadN(optdata=b"")])
    made /= ICMPv6MLReport2(records=[ICMPv6MLDMultAddrRec(rtype=3, dst=GROUP)])
    with RawPort(host, "eth0") as wire:
        wire.send(bytes(made))


@pytest.mark.whole
def test_linux_hosts_answer_for_themselves(asked):
    """Who has gone is forgotten within seconds, though nobody else asks; who is still there says so."""
    hosts, router = asked
    assert router.read("s.querier") == "true" and int(router.read("s.queries")) >= len(hosts)
    with listening(hosts[2], GROUP) as two:
        assert eventually(lambda: groups(router).get(GROUP) == {"2"})
        before = int(router.read("s.queries"))
        claims_to_leave(hosts[2])
        assert eventually(lambda: int(router.read("s.queries")) >= before + 2)
        time.sleep(3)  # more than an answer may take, after which the group would be forgotten
        assert eventually(lambda: groups(router).get(GROUP) == {"2"}), "Linux has answered"
        with RawPort(hosts[1], "eth0") as one:
            say(hosts[3], GROUP, b"for who listens")
            assert two.recv(100) == b"for who listens"
            assert not heard(one, b"for who listens")
    assert eventually(lambda: GROUP not in groups(router)), "nobody has answered"


def test_neighbours_find_each_other_without_a_router(asked):
    """Hosts answer for the groups of their own addresses within the time that a query for all gives them, and go on to be found."""
    hosts, router = asked
    known = {f"ff02::1:ff00:{number + 1:x}" for number in range(len(hosts))}
    assert eventually(lambda: known <= set(groups(router)), 20), groups(router)
    assert "1 received" in hosts[1].run("ping", "-6", "-n", "-c1", f"-W{PATIENCE:.0f}", address(2)).stdout
