"""SnoopingEtherSwitch as the one who asks (RFC 3810, 7 and 9; RFC 4541, 2.1.1)."""

import pytest
from scapy.layers.inet6 import ICMPv6MLDone, ICMPv6MLQuery2, ICMPv6MLReport, IPv6
from scapy.layers.l2 import Ether
from tests.elements.bridge.test_snoopingetherswitch import (
    ALERT,
    EVERYWHERE,
    GROUP,
    IS_EXCLUDE,
    OTHER,
    TO_INCLUDE,
    data,
    message,
    query,
    report,
    sends,
    switch,
)

#: Its link-local address is fe80::ff:fe00:77 (RFC 4291, appendix A).
OWN, LOWER, HIGHER = "fe80::ff:fe00:77", "fe80::ff:fe00:76", "fe80::ff:fe00:78"
PORTS = ["eth0", "eth1", "eth2", "eth3"]


@pytest.fixture
def asking(router):
    def make(arguments: str = "", **options):
        return router(switch(arguments=f"QUERIER 02:00:00:00:00:77{arguments}"), simtime=True, **options)

    return make


def asked(group: str = "::", delay: int = 10000) -> bytes:
    """What a query has to be (RFC 3810, 5.1 and 9), by scapy."""
    to, mac = ("ff02::1", "33:33:00:00:00:01") if group == "::" else (group, "33:33:00:00:12:34")
    made = ICMPv6MLQuery2(mladdr=group, mrd=delay, QRV=2, QQIC=125)
    return bytes(Ether(src="02:00:00:00:00:77", dst=mac) / IPv6(src=OWN, dst=to, hlim=1) / ALERT / made)


def queries(outputs, expected: bytes) -> list[str]:
    """The ports by which that query has left, and nothing else has."""
    assert {output.data for output in outputs} <= {expected}
    return sorted(output.device for output in outputs)


def says(router, port: int, packet) -> list:
    """What leaves because of a message, also a little later."""
    return [*router.send(f"eth{port}", bytes(packet)), *router.advance(0.01)]


def at(router, *seconds: float) -> list[int]:
    """How many packets leave within each of these times."""
    return [len(router.advance(time)) for time in seconds]


@pytest.mark.parametrize("threads", [1, 2])
def test_it_asks_all_twice_soon_and_then_every_125_seconds(asking, threads):
    r = asking(threads=threads)
    assert queries(r.advance(0.001), asked()) == PORTS
    assert at(r, 31.2, 0.1, 124.8, 0.2, 124.8, 0.2) == [0, 4, 0, 4, 0, 4]
    assert (r.read("s.querier"), r.read("s.queries")) == ("true", "16")


def test_without_it_nobody_asks(router):
    r = router(switch(), simtime=True)
    assert at(r, 1, 500) == [0, 0] and r.read("s.querier") == "false"


def test_the_lowest_address_asks(asking):
    """RFC 3810, 7.6.2 and 9.5."""
    r = asking()
    r.advance(1)
    sends(r, query(1, source=HIGHER))
    assert r.read("s.querier") == "true"
    assert at(r, 31) == [4]
    sends(r, query(1, source=LOWER))
    assert r.read("s.querier") == "false"
    assert at(r, 254.9) == [0]
    assert queries(r.advance(0.2), asked()) == PORTS
    assert r.read("s.querier") == "true"


@pytest.mark.parametrize("leaves", [message(2, "ff02::2", ICMPv6MLDone(mladdr=GROUP)), report(2, kind=TO_INCLUDE)], ids=["v1", "v2"])
def test_who_stays_is_asked_when_somebody_leaves(asking, leaves):
    """RFC 3810, 7.6.3.1 and 9.8 to 9.9: twice, one second apart, at that port alone; who hasn't answered then has gone."""
    r = asking()
    r.advance(1)
    for port in (2, 3):
        sends(r, report(port))
    assert queries(says(r, 2, leaves), asked(GROUP, 1000)) == ["eth2"]
    assert says(r, 2, leaves) == [], "no answer is due yet: it doesn't ask more often"
    assert at(r, 0.9) == [0]
    assert sends(r, data(0)) == {"eth2", "eth3"}
    assert queries(r.advance(0.2), asked(GROUP, 1000)) == ["eth2"]
    assert at(r, 1.3) == [0]
    assert sends(r, data(0)) == {"eth3"}


def test_who_answers_stays(asking):
    r = asking()
    r.advance(1)
    sends(r, report(2))
    assert says(r, 2, report(2, kind=TO_INCLUDE))
    r.advance(0.5)
    sends(r, report(2))
    r.advance(10)
    assert sends(r, data(0)) == {"eth2"}


def test_it_asks_about_no_group_that_nobody_listens_to(asking):
    r = asking()
    r.advance(1)
    sends(r, report(2))
    for port, leaves in ((3, report(3, kind=TO_INCLUDE)), (2, report(2, OTHER, kind=TO_INCLUDE))):
        assert says(r, port, leaves) == []
        assert at(r, 1.5) == [0]
    sends(r, query(1, source=LOWER))
    assert sends(r, report(2, kind=TO_INCLUDE)) == {"eth1"}, "another one asks"
    assert at(r, 3) == [0]
    assert sends(r, data(0)) == {"eth1", "eth2"}


def test_questions_are_bounded(asking):
    """As many groups as there are places for are asked about; the others stay for as long as their last report permits."""
    r = asking(", GROUPS 1000")
    r.advance(1)
    for number in range(200):
        sends(r, report(2, f"ff15::{number + 1:x}"))
    for number in range(200):
        r.send("eth2", bytes(report(2, f"ff15::{number + 1:x}", kind=TO_INCLUDE)))
    assert int(r.read("s.queries")) - 4 <= 64
    r.advance(3)
    assert 200 - 64 <= len(r.read("s.groups").splitlines()) < 200


def test_nobody_else_hears_reports(asking):
    """A host that hears one of MLDv1 doesn't report by itself (RFC 2710, 4), and its port would have no listener."""
    r = asking()
    r.advance(1)
    assert sends(r, message(2, GROUP, ICMPv6MLReport(mladdr=GROUP))) == set()
    assert sends(r, data(0)) == {"eth2"}
    sends(r, query(1, source=HIGHER))
    assert sends(r, report(3, kind=IS_EXCLUDE)) == {"eth1"}
    assert sends(r, data(0, OTHER)) == EVERYWHERE
