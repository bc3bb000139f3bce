"""RadixIPsecLookup and IPsecEncap: which packets go through which tunnel."""

from ipaddress import IPv4Address

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.ipsec import ESP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.executors.bpf import HANDED, SENT
from clickbpf.testing.packets import Mix
from clickbpf.testing.reach import Reach

CIPHER, DIGEST = "ABCDEFFF001DEFD2354550FE40CD708E", "112233EE556677888877665544332211"
TUNNEL = f"10.8.0.0/24 18.26.4.1 1 234 \\<{CIPHER}> \\<{DIGEST}> 300 64"
ROUTES = f"18.26.4.24/32 0, 18.26.4.1/32 3, 10.1.0.0/16 192.0.2.9 3, {TUNNEL}"
LOOKUP = f"RadixIPsecLookup({ROUTES})"
#: What Click shows for the tunnel.
ROW = f"""10.8.0.0/24		18.26.4.1	1  |TUNNELED CONNECTION|\x20
|SPI| |ENC KEY| |AUTH KEY| ||
 |234| |{CIPHER.lower()}| |{DIGEST.lower()}|

"""


def lookup(text=LOOKUP) -> Trial:
    return Trial(text, noutputs=4, headers="ip", before="GetIPAddress(16)")


def to(address: str, **fields) -> IP:
    return IP(src="10.0.0.1", dst=address, **fields) / UDP()


@pytest.mark.executors("native")
def test_routes_come_and_go(started):
    x = started(lookup())
    tunnel = x.read("table")[-len(ROW) :]
    assert tunnel == ROW
    x.write("remove", "10.8.0.0/24")
    assert "TUNNEL" not in x.read("table")
    esp = IP(dst="18.26.4.24", proto=50) / ESP(spi=234, seq=300) / bytes(20)
    x.drops(esp)
    x.write("add", TUNNEL)
    x.gives(esp)
    # Keys in hexadecimal digits, and a tunnel that two routes lead into.
    x.write("add", f"10.9.0.0/24 18.26.4.1 1 234 {CIPHER} {DIGEST} 300 64")
    x.write("remove", "10.8.0.0/24")
    x.gives(esp)
    x.refuses("add", f"10.8.0.0/24 18.26.4.1 1 234 {DIGEST} {DIGEST} 300 64", "other keys")
    x.refuses("add", f"10.9.0.0/24 18.26.4.1 1 234 {CIPHER} {DIGEST} 300 64", "conflict")
    x.write("ctrl", f"remove 10.9.0.0/24\nset {TUNNEL}\n")
    x.refuses("ctrl", "remove 10.8.0.0/24\nremove 10.7.0.0/24\n", "line 2")
    assert x.read("table").endswith(ROW)
    x.gives(esp)


@pytest.mark.executors("native")
def test_a_tunnel_by_clicks_elements(router):
    """ESP as in Click's own configuration: a digest first, then AES over it; and back by a router with the same table."""
    r = router(
        f"""rt :: {LOOKUP}; FromDevice(in) -> Strip(14) -> CheckIPHeader -> GetIPAddress(16) -> rt;
        rt[0] -> StripIPHeader -> IPsecAES(0) -> IPsecAuthHMACSHA1(1) -> IPsecESPUnencap -> CheckIPHeader -> Queue -> ToDevice(plain);
        rt[1] -> IPsecESPEncap -> IPsecAuthHMACSHA1(0) -> IPsecAES(1) -> IPsecEncap(50) -> rt;
        rt[2] -> Discard; rt[3] -> FixIPSrc(18.26.4.24) -> Queue -> ToDevice(net);"""
    )
    for number in range(40):
        packet = to("10.8.0.5") / bytes(number)
        r.send("in", bytes(14) + bytes(packet))
        outside = IP(bytes(r.expect("net")))
        assert (outside.src, outside.dst, outside.proto, outside.ttl) == ("18.26.4.24", "18.26.4.1", 50, 250)
        assert (outside[ESP].spi, outside[ESP].seq) == (234, 300 + number)
        outside.dst = "18.26.4.24"
        del outside.chksum
        r.forwards("in", bytes(14) + bytes(outside), "plain", bytes(packet))
    r.send("in", bytes(14) + bytes(outside))
    r.expect_nothing()
    assert r.dropped(reason="REPLAYED") == 1


@pytest.mark.executors("bpf")
def test_other_packets_stay_in_the_kernel(router):
    r = router(
        f"rt :: {LOOKUP}; FromDevice(in) -> Strip(14) -> CheckIPHeader -> GetIPAddress(16) -> rt;"
        "rt[0] -> Discard; rt[1] -> Discard; rt[2] -> Discard;"
        "rt[3] -> EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2) -> Queue -> ToDevice(out);"
    )

    def way(packet: IP) -> int:
        return r.executor.run("in", bytes(12) + b"\x08\x00" + bytes(packet))[0]

    assert way(to("10.1.2.3")) == SENT
    assert way(to("10.8.0.1")) == HANDED


MIX = Mix(addresses=("18.26.4.24", "10.1.0.1", "10.8.0.1", "9.9.9.9"))
CASES = [
    Case(text, noutputs=noutputs, headers="ip", before="GetIPAddress(16)", mix=MIX)
    for text, noutputs in ((LOOKUP, 4), ("IPsecEncap(50)", 1))
]


@pytest.mark.parametrize(
    ("route", "message"),
    [
        ("10.8.0.0/24 1", "tunnel"),
        ("10.8.0.0/24 18.26.4.1 1 234 \\<0011> \\<00> 300 64", "CIPHER_KEY: key has bad length"),
        (f"10.8.0.0/24 18.26.4.1 1 0 {CIPHER} {DIGEST} 300 64", "SPI"),
        (f"10.8.0.0/24 18.26.4.1 1 234 {CIPHER} {DIGEST} 300 256", "WINDOW"),
        (f"10.8.0.0/24 18.26.4.1 1 234 {CIPHER} {DIGEST} 300", "is not"),
        ("10.8.0.0/24 7", "bad OUTPUT 7"),
    ],
)
def test_mistakes(refused, route, message):
    assert message in refused(f"RadixIPsecLookup({route})", outputs=2)


DEFAULT = r"0/0 2.0.0.2 1 234 \<0123456789abcdef0123456789abcdef> \<112233445566778899aabbccddeeff00> 1 64"

TRIALS = {
    "ways": lookup()
        .passes(to("18.26.4.1"), output=3, DST_IP=int(IPv4Address("18.26.4.1")))
        .passes(to("10.1.2.3"), output=3, DST_IP=int(IPv4Address("192.0.2.9")))
        .passes(to("18.26.4.24"), output=2, DST_IP=int(IPv4Address("18.26.4.24"))).passes(to("10.8.0.77"), output=1, IPSEC_SPI=234)
        .drops(to("9.9.9.9"), reason="NO_ROUTE"),
    "esp for this host": lookup()
        .passes(IP(dst="18.26.4.24", proto=50) / ESP(spi=234, seq=300) / bytes(20), IPSEC_SPI=234)
        .drops(
            IP(dst="18.26.4.24", proto=50) / ESP(spi=235, seq=300) / bytes(20), IP(dst="18.26.4.24", proto=50) / b"abc",
            reason="NO_ASSOCIATION"
        ),
    "the table is clicks": lookup().reads(table=f"18.26.4.24/32\t\t-\t\t0\n18.26.4.1/32\t\t-\t\t3\n10.1.0.0/16\t\t192.0.2.9\t3\n{ROW}"),
    "an ip header to the gateway": Trial("IPsecEncap(esp, TTL 9, DF true)", headers="ip", before="SetIPAddress(18.26.4.1)")
        .gives(
            (IP(dst="10.8.0.1") / UDP()),
            IP(src="0.0.0.0", dst="18.26.4.1", ttl=9, id=0, flags="DF", proto=50) / bytes(IP(dst="10.8.0.1") / UDP()), FIX_IP_SRC=1
        ),
}

PUNTS = [Reach(f"RadixIPsecLookup({DEFAULT})", noutputs=2, headers="ip-checked")]
