"""Explicit mappings of the translators between IPv4 and IPv6 (RFC 7757)."""

import pytest
from scapy.layers.inet import ICMP, IP, UDP, IPOption_Router_Alert
from scapy.layers.inet6 import ICMPv6DestUnreach, IPv6, IPv6ExtHdrDestOpt

from clickbpf.testing.equivalence import assert_equivalent

TABLE = """192.0.2.1 2001:db8:aaaa::, 192.0.2.2/32 2001:db8:bbbb::b, 192.0.2.16/28 2001:db8:cccc::/124, 192.0.2.128/26 2001:db8:dddd::/64,
192.0.2.192/29 2001:db8:eeee:8::/62, 192.0.2.224/31 64:ff9b::/127, 192.0.2.20 2001:db8:cccc:1::/80, 198.51.100.0/24 2001:db8:cccc:1::/72"""
#: What the mappings make of addresses, both ways; the last four have two prefixes of which the longer counts, or none.
SAME = [
    ("192.0.2.1", "2001:db8:aaaa::"),
    ("192.0.2.2", "2001:db8:bbbb::b"),
    ("192.0.2.16", "2001:db8:cccc::"),
    ("192.0.2.31", "2001:db8:cccc::f"),
    ("192.0.2.131", "2001:db8:dddd:0:c00::"),
    ("192.0.2.195", "2001:db8:eeee:9:8000::"),
    ("192.0.2.225", "64:ff9b::1"),
    ("192.0.2.20", "2001:db8:cccc:1::"),
    ("198.51.100.128", "2001:db8:cccc:1:80::"),
    ("192.0.2.3", "64:ff9b::192.0.2.3"),
    ("198.51.101.0", "64:ff9b::198.51.101.0"),
]
ROUTER = f"""FromDevice(four) -> to6 :: ProtocolTranslator46({TABLE}, SRC 64:ff9b::/96, DST 64:ff9b::/96) -> Queue -> ToDevice(six);
FromDevice(six) -> to4 :: ProtocolTranslator64({TABLE}, PREFIX 64:ff9b::/96) -> Queue -> ToDevice(four);"""
DATA = UDP(sport=53, dport=7) / b"data"
#: Addresses without mappings.
REMOTE, REMOTE6 = "203.0.113.9", "64:ff9b::203.0.113.9"


def test_the_longest_prefix_of_each_version_counts(router):
    x = router(ROUTER)
    for four, six in SAME:
        x.forwards("four", IP(src=REMOTE, dst=four, ttl=9) / DATA, "six", IPv6(src=REMOTE6, dst=six, hlim=9) / DATA)
        x.send("four", IP(src=four, dst=REMOTE, ttl=9, options=[IPOption_Router_Alert()]) / DATA)
        x.expect("six", IPv6(src=six, dst=REMOTE6, hlim=9) / DATA)
        for chain in (DATA, IPv6ExtHdrDestOpt() / DATA):
            x.forwards("six", IPv6(src=six, dst=REMOTE6, hlim=9) / chain, "four", IP(src=four, dst=REMOTE, ttl=9, id=0, flags="DF") / DATA)
    x.send("six", IPv6(src="2001:db8:dddd:0:fff:1::1", dst=REMOTE6, hlim=9) / DATA)
    x.expect("four", IP(src="192.0.2.131", dst=REMOTE, ttl=9, id=0, flags="DF") / DATA)  # what follows is ignored
    assert x.read("to6.table") == x.read("to4.table")
    assert x.read("to6.table").splitlines()[4] == "192.0.2.192/29 2001:db8:eeee:8::/62"


#: Two hosts with mappings, and what follows the prefix for each.
ONE, ONE6, ONE4IN6 = "192.0.2.1", "2001:db8:aaaa::", "64:ff9b::192.0.2.1"
TWO, TWO6, TWO4IN6 = "192.0.2.2", "2001:db8:bbbb::b", "64:ff9b::192.0.2.2"


def test_a_host_that_calls_another_by_its_ipv4_address_is_answered_by_it(router):
    """4.2.1: what comes back from the IPv4 side bears the address by which answers come here as well."""
    x = router(ROUTER)
    x.forwards("six", IPv6(src=ONE6, dst=TWO4IN6, hlim=9) / DATA, "four", IP(src=ONE, dst=TWO, ttl=9, id=0, flags="DF") / DATA)
    for options in ([], [IPOption_Router_Alert()]):
        x.forwards("four", IP(src=ONE, dst=TWO, ttl=9, options=options) / DATA, "six", IPv6(src=ONE4IN6, dst=TWO6, hlim=9) / DATA)


@pytest.mark.parametrize("sender, sender6", [(TWO, TWO4IN6), ("192.0.2.20", "2001:db8:cccc:1::"), (REMOTE, REMOTE6)])
def test_errors_about_such_packets(router, sender, sender6):
    """The host's own error bears the address that it was called by, a router's the one that it has; the packet within is as it was sent."""
    x = router(ROUTER)
    x.send("four", IP(src=sender, dst=ONE, ttl=9) / ICMP(type=3, code=3) / bytes(IP(src=ONE, dst=TWO, ttl=9) / DATA))
    quoted = bytes(IPv6(src=ONE6, dst=TWO4IN6, hlim=9) / DATA)
    x.expect("six", IPv6(src=sender6, dst=ONE6, hlim=9) / ICMPv6DestUnreach(code=4) / quoted)


def test_mistakes(refused):
    refusal = {
        "192.0.2.1": "expected an IPv4 prefix and an IPv6 prefix",
        "192.0.2.0/24 2001:db8::/121": "2001:db8::/121 has less room than 192.0.2.0/24",
        "192.0.2.1 ::1, 192.0.2.1/32 ::2": "one of the prefixes has a mapping already",
        "192.0.2.1 ::/96, 192.0.2.2 ::1.2.3.4/96": "one of the prefixes has a mapping already",
        ", ".join(f"10.0.0.{n} 2001:db8:{n}::" for n in range(65)): "there are more than 64 mappings",
    }
    for argument, message in refusal.items():
        assert message in refused(f"ProtocolTranslator64({argument})")


def test_executors_agree():
    """As many as there may be, of all lengths, in one program."""
    table = ", ".join(f"10.{n}.0.0/{16 + n % 17} 2001:db8:{n:x}::/{48 + n}" for n in range(64))
    both = f"ProtocolTranslator46({table}, DST 64:ff9b::/96) -> ProtocolTranslator64({table}, PREFIX 64:ff9b::/96)"
    front = "FromDevice(in) -> Strip(14) -> CheckIPHeader -> StoreIPAddress(10.7.0.20, src)"
    assert_equivalent(f"{front} -> {both} -> Queue -> ToDevice(out);", 500)
