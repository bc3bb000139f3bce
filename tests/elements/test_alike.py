"""Elements that do what others do together, or by another name: the same of packets at random."""

from tests.elements.beside import Tried, assert_alike, beside, parts

from clickbpf.testing.packets import Mix

MIX = Mix(options=30, wrong=30, large=10)
COMBO = "IPOutputCombo(2, 10.0.9.1, 200)"
#: Click's documentation of IPOutputCombo.
SIX = """{
    input -> DropBroadcasts -> paint :: PaintTee(2) -> options :: IPGWOptions(10.0.9.1) -> FixIPSrc(10.0.9.1) -> ttl :: DecIPTTL
        -> length :: CheckLength(200) -> output;
    paint[1] -> [1]output; options[1] -> [2]output; ttl[1] -> [3]output; length[1] -> [4]output;
}"""
#: What a packet brings along: nothing, the colour of where it leaves, that it is for a group, and what ICMPError asks for.
BROUGHT = ("", "Paint(2)", "Paint(2) -> SetPacketType(MULTICAST)", "Paint(1, FIX_IP_SRC)")
ROUTES = "10.0.0.0/8 0, 10.1.0.0/16 1.2.3.4 1, 10.0.1.0/24 2, 10.0.1.2 5.6.7.8 0, 0/0 9.9.9.9 2"
ALIKE = [
    *((Tried(COMBO, "ip-checked", before, 5, mix=MIX), SIX) for before in BROUGHT),
    (
        Tried("IPInputCombo(258, INTERFACES 10.0.0.1/24)", mix=MIX),
        "{ input -> Paint(2) -> Strip(14) -> CheckIPHeader(INTERFACES 10.0.0.1/24) -> GetIPAddress(16) -> output }",
    ),
    (Tried("CheckIPHeader2(14, BADSRC 10.0.0.1)", noutputs=2, mix=MIX), "CheckIPHeader(14, BADSRC 10.0.0.1, CHECKSUM false)"),
    (Tried("CheckIPHeader2(14, CHECKSUM true)", noutputs=2, mix=MIX), "CheckIPHeader(14)"),
    (Tried("FlowStrip(14)"), "Strip(14)"),
    (Tried("FlowUnstrip(14)", before="Strip(14)"), "Unstrip(14)"),
    *(
        (Tried(f"{name}IPLookup({ROUTES})", "ip-checked", noutputs=3), f"RadixIPLookup({ROUTES})")
        for name in ("Range", "Direct", "Linear", "Static")
    ),
]


def test_they_do_the_same(router):
    for rows in parts(ALIKE, 4):
        pairs = [each for one, other in rows for each in (one, Tried(other, one.headers, one.before, one.noutputs))]
        r = router(beside(pairs, record=True), simtime=True)
        for number, (tried, _) in enumerate(rows):
            assert_alike(r, 2 * number, 2 * number + 1, tried)
