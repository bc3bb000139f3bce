"""IP6RouterAdvertiser: what advertisements say (RFC 4861, 4.2; RFC 8106, 5.1), and when they are sent (RFC 4861, 6.2)."""

import pytest
from scapy.layers.inet6 import (
    ICMPv6ND_RA,
    ICMPv6ND_RS,
    ICMPv6NDOptMTU,
    ICMPv6NDOptPrefixInfo,
    ICMPv6NDOptRDNSS,
    ICMPv6NDOptSrcLLAddr,
    IPv6,
)
from scapy.layers.l2 import Ether

OWN, HOST = "02:00:00:00:00:01", "02:00:00:00:00:22"
LINK = "fe80::1"


def solicitation(source="fe80::22", option=ICMPv6NDOptSrcLLAddr(lladdr=HOST), hlim=255, **fields):
    made = Ether(src=HOST, dst="33:33:00:00:00:02") / IPv6(src=source, dst="ff02::2", hlim=hlim) / ICMPv6ND_RS(**fields)
    return made / option if option else made


def advertisement(*options, **fields):
    made = Ether(src=OWN, dst="33:33:00:00:00:01") / IPv6(src=LINK, dst="ff02::1", hlim=255)
    made /= ICMPv6ND_RA(**{"chlim": 64, "prf": 0, "routerlifetime": 1800, **fields}) / ICMPv6NDOptSrcLLAddr(lladdr=OWN)
    for option in options:
        made /= option
    return made


@pytest.fixture
def advertiser(element):
    """advertiser("PREFIX 2001:db8::/64"), its clock the test's."""
    return lambda more="": element(f"IP6RouterAdvertiser({LINK}, {OWN}{', ' + more if more else ''})", simtime=True)


def sent(ra, seconds, step=0.25):
    """When advertisements left, of the next seconds, in steps."""
    times = []
    for number in range(round(seconds / step)):
        before = int(ra.read("count"))
        ra.router.advance(step)
        times += [number * step] * (int(ra.read("count")) - before)
    return times


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ("", advertisement()),
        ("MTU 1279", advertisement()),
        ("MTU 1280", advertisement(ICMPv6NDOptMTU(mtu=1280))),
        ("INTERVAL 1800, HOPLIMIT 0, LIFETIME 0", advertisement(chlim=0, routerlifetime=0)),
        ("MANAGED true, REACHABLE 3600000, RETRANSMIT 1000", advertisement(M=1, reachabletime=3600000, retranstimer=1000)),
        ("OTHER true, LIFETIME 9000, MTU 1400", advertisement(ICMPv6NDOptMTU(mtu=1400), O=1, routerlifetime=9000)),
        (
            "PREFIX 2001:db8:0:1::1/64 2001:db8:2::/48, VALID 7200, PREFERRED 3600",
            advertisement(
                ICMPv6NDOptPrefixInfo(prefix="2001:db8:0:1::", prefixlen=64, L=1, A=1, validlifetime=7200, preferredlifetime=3600),
                ICMPv6NDOptPrefixInfo(prefix="2001:db8:2::", prefixlen=48, L=1, A=1, validlifetime=7200, preferredlifetime=3600),
            ),
        ),
        (
            "PREFIX 2001:db8::/64, ONLINK false, AUTONOMOUS false",
            advertisement(ICMPv6NDOptPrefixInfo(prefix="2001:db8::", L=0, A=0, validlifetime=2592000, preferredlifetime=604800)),
        ),
        ("RDNSS 2001:db8::53 2001:db8::54, INTERVAL 100, LIFETIME 1800",
         advertisement(ICMPv6NDOptRDNSS(dns=["2001:db8::53", "2001:db8::54"], lifetime=300))),
    ],
)  # fmt: skip
def test_what_it_says(router, arguments, expected):
    more = f", {arguments}" if arguments else ""
    r = router(f"Idle -> IP6RouterAdvertiser({LINK}, {OWN}{more}) -> Queue -> ToDevice(out);", simtime=True)
    r.advance(0.6)
    r.expect("out", expected)
    r.expect_nothing()


def test_the_first_three_come_soon_and_the_others_at_random_times(advertiser):
    """RFC 4861, 6.2.4: no more than 16 seconds apart; then from 0.33 of INTERVAL to INTERVAL."""
    ra = advertiser("INTERVAL 100")
    times = sent(ra, 1500)
    apart = [after - before for before, after in zip(times, times[1:])]
    assert times[0] <= 0.5
    assert all(15.5 <= wait <= 16.5 for wait in apart[:3])
    assert all(32.5 <= wait <= 100.5 for wait in apart[3:]) and len(set(apart[3:])) > 5
    assert 1500 / 100 <= len(times) <= 3 + 1500 / 33


def test_a_solicitation_is_answered_within_half_a_second(advertiser):
    """RFC 4861, 6.2.6: the interval begins anew with the answer."""
    ra = advertiser("INTERVAL 1800")
    sent(ra, 60)
    ra.send(solicitation())
    assert len(sent(ra, 0.75)) == 1
    assert sent(ra, 590) == []


def test_however_many_ask_there_are_three_seconds_between_answers(advertiser):
    """RFC 4861, 6.2.6: MIN_DELAY_BETWEEN_RAS."""
    ra = advertiser("INTERVAL 1800")
    sent(ra, 60)
    times = []
    for round in range(600):
        ra.send(solicitation())
        times += [round * 0.05 for _ in sent(ra, 0.05, 0.05)]
    apart = [after - before for before, after in zip(times, times[1:])]
    assert len(times) >= 30 / 3.6 and all(2.95 <= wait <= 3.6 for wait in apart)


def test_who_has_no_address_yet_is_answered(advertiser):
    ra = advertiser()
    sent(ra, 60)
    ra.send(solicitation("::", None))
    assert len(sent(ra, 0.75)) == 1


@pytest.mark.parametrize(
    "packet",
    [
        solicitation(hlim=254),
        solicitation(cksum=1),
        solicitation(code=1),
        solicitation("::"),
        solicitation(option=ICMPv6NDOptSrcLLAddr(lladdr=HOST, len=0)),
        solicitation(option=ICMPv6NDOptSrcLLAddr(lladdr=HOST, len=2)),
        bytes(solicitation(option=None))[:-1],
        bytes(solicitation())[:-1],
        advertisement(),
        b"",
    ],
)
def test_what_is_no_valid_solicitation(advertiser, packet):
    """RFC 4861, 6.1.1."""
    ra = advertiser("INTERVAL 1800")
    sent(ra, 60)
    ra.send(packet)
    assert sent(ra, 4) == [] and ra.dropped("MALFORMED") == 1


def test_a_router_that_is_none_any_more_says_so(router):
    """RFC 4861, 6.2.5."""
    r = router(f"Idle -> ra :: IP6RouterAdvertiser({LINK}, {OWN}) -> Queue -> ToDevice(out);", simtime=True)
    r.advance(0.6)
    r.expect("out", advertisement())
    r.write("ra.active", "false")
    r.advance(2)
    r.expect_nothing()
    r.advance(2)
    r.expect("out", advertisement(routerlifetime=0))
    r.advance(4000)
    r.expect_nothing()
    r.write("ra.active", "true")
    r.advance(4)
    r.expect("out", advertisement())
    assert (r.read("ra.active"), r.read("ra.count")) == ("true", "3")


def test_it_can_be_silent(advertiser):
    ra = advertiser("ACTIVE false")
    ra.send(solicitation())
    assert sent(ra, 60) == []


def test_mistakes(refused):
    def said(more, ip=LINK):
        return refused(f"IP6RouterAdvertiser({ip}, {OWN}, {more})")

    assert "not a link-local address" in said("", "2001:db8::1")
    assert "neither 0 nor from INTERVAL" in said("LIFETIME 100")
    assert "neither 0 nor from INTERVAL" in said("LIFETIME 9001")
    assert "more than 0.75 of INTERVAL" in said("INTERVAL 100, MININTERVAL 76")
    assert "more than VALID" in said("VALID 100")
    assert "link-local" in said("PREFIX fe80::/64")
    assert "bound 4" in said("INTERVAL 3")
    assert "more than a message has room for" in said("PREFIX " + " ".join(f"2001:db8:{n:x}::/64" for n in range(40)))
