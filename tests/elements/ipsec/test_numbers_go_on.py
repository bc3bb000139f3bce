"""Sequence numbers when a router takes another's place, and when routes come and go (RFC 4303, 3.3.3 and 3.4.3): under the same keys none
is sent twice, and none is let pass twice."""

import pytest
from scapy.layers.inet import IP, UDP
from tests.elements.ipsec.test_esp import esp
from tests.elements.ipsec.test_radixipseclookup import CIPHER, DIGEST
from tests.elements.swapped import runtime

from clickbpf.runtime.host import Runtime

KEY, OTHER = "000102030405060708090a0b0c0d0e0f", "101112131415161718191a1b1c1d1e1f"


def sender(spi: int = 7, key: str = KEY, mac: str = KEY, name: str = "x", more: str = "") -> str:
    return (
        f"FromDevice(in0) -> {name} :: IPsecESPEncap({spi}, 16{more}) -> Queue -> u :: Unqueue"
        f" -> IPsecAES(1, {key}, 0, BLOCK 16) -> IPsecAuthHMACSHA1(0, {mac}) -> Queue -> ToDevice(out0);"
    )


def sent(router: Runtime, packets: int) -> list[int]:
    """The sequence numbers of as many packets."""
    for _ in range(packets):
        router.inject("in0", bytes(46))
    return [int.from_bytes(packet[4:8], "big") for packet in router.collect("out0")]


@pytest.mark.parametrize(
    ("then", "numbers"),
    [
        (sender(), [4, 5]),
        (sender(name="renamed"), [4, 5]),
        (sender(more=", REPLAY 3"), [4, 5]),
        (sender(more=", REPLAY 300"), [300, 301]),
        (sender(key=OTHER), [1, 2]),
        (sender(mac=OTHER), [1, 2]),
        (sender(8), [1, 2]),
    ],
)
def test_what_is_sent(then, numbers):
    """Names don't make an association, nor do the first numbers. Another SPI or other keys are another one."""
    router = runtime(sender())
    assert sent(router, 3) == [1, 2, 3]
    router = runtime(then, router)
    assert sent(router, 2) == numbers
    router.close()


def test_keys_of_other_tunnels_do_not_matter():
    """Even where packets meet these right after their own: what checks digests isn't part of the sending."""
    both = sender().replace("-> Queue -> ToDevice", "-> check :: IPsecAuthHMACSHA1(1, {0}) -> q :: Queue -> ToDevice") + "check[1] -> q;"
    router = runtime(both.format(KEY))
    assert sent(router, 3) == [1, 2, 3]
    router = runtime(both.format(OTHER), router)
    assert sent(router, 2) == [4, 5]
    router.close()


def test_an_association_that_has_ended_stays_ended():
    router = runtime(sender(more=", REPLAY 0xffffffff"))
    assert sent(router, 2) == [0xFFFFFFFF]
    router = runtime(sender(more=", REPLAY 0xffffffff"), router)
    assert sent(router, 2) == []
    assert router.drops("x") == {"EXPIRED": 3}
    router = runtime(sender(key=OTHER), router)
    assert sent(router, 2) == [1, 2]
    router.close()


def receiver(window: int = 64, key: str = KEY, spi: int = 0x1001, more: str = "") -> str:
    """Takes packets that are neither authenticated nor encrypted, so that tests can make them: no packet comes by input 1 of the join."""
    return (
        f"FromDevice(in0) -> x :: IPsecESPUnencap(SPI {spi}, WINDOW {window}{more}) -> Queue -> ToDevice(out0);"
        f"Idle -> IPsecAuthHMACSHA1(1, {key}) -> x;"
    )


def accepted(router: Runtime, *numbers: int) -> list[int]:
    return [number for number in numbers if router.inject("in0", esp(number, bytes(60))) or router.collect("out0")]


@pytest.mark.parametrize(
    ("then", "again"),
    [
        (receiver(), [19, 21, 22, 38, 51, 52]),
        # What the narrower window has forgotten is refused: 18 to 34.
        (receiver(16), [38, 51, 52]),
        (receiver(more=", REPLAY 60"), [19, 21, 22, 38, 51, 52]),
        (receiver(16, more=", REPLAY 60"), [51, 52]),
        (receiver(key=OTHER), [1, 17, 20, 34, 37, 50, 19, 21, 22, 38, 51, 52]),
    ],
)
def test_what_is_let_pass(then, again):
    router = runtime(receiver())
    first = (1, 17, 20, 34, 37, 50)
    assert accepted(router, *first) == list(first)
    router = runtime(then, router)
    assert accepted(router, *first, 17, 19, 20, 21, 22, 34, 37, 38, 50, 51, 52) == again
    router.close()


def test_a_wider_window_knows_no_more_than_the_narrow_one_did():
    """10 and 50 have come, and the window of 16 no longer says whether 10 has."""
    router = runtime(receiver(16))
    assert accepted(router, 10, 50, 40) == [10, 50, 40]
    router = runtime(receiver(64), router)
    assert accepted(router, 10, 20, 34, 35, 40, 50) == [35]
    router.close()


def test_elements_that_change_names():
    """Both have the same SPI, which two hosts may have chosen. The keys say which is which."""
    text = sender(name="x") + sender(name="y", key=OTHER).replace("in0", "in1").replace("out0", "out1").replace("u ::", "v ::")
    router = runtime(text)
    assert sent(router, 3) == [1, 2, 3]
    router = runtime(text.replace("x ::", "z ::").replace("y ::", "x ::").replace("z ::", "y ::"), router)
    router.inject("in1", bytes(46))
    assert [packet[4:8] for packet in router.collect("out1")] == [b"\0\0\0\1"]
    assert sent(router, 2) == [4, 5]
    router.close()


# -- routes ----------------------------------------------------------------------------------------------------------------


def routed(*routes: str) -> str:
    return (
        f"rt :: RadixIPsecLookup(10.1.0.0/16 2, {', '.join(routes)}); FromDevice(in0) -> Strip(14) -> CheckIPHeader -> GetIPAddress(16)"
        " -> rt; Idle -> rt; rt[0] -> StripIPHeader -> IPsecESPUnencap -> Queue -> ToDevice(in); rt[1] -> IPsecESPEncap -> Queue"
        " -> ToDevice(out0); rt[2] -> Discard;"
    )


TUNNEL = f"10.8.0.0/24 18.26.4.1 1 234 {CIPHER} {DIGEST} 300 64"
OTHER_KEYS = f"10.8.0.0/24 18.26.4.1 1 234 {DIGEST} {DIGEST} 300 64"
HOST = "18.26.4.24/32 0"


def through(router: Runtime, packets: int, to: str = "10.8.0.1") -> list[int]:
    for _ in range(packets):
        router.inject("in0", bytes(14) + bytes(IP(src="10.0.0.1", dst=to) / UDP()))
    return [int.from_bytes(packet[4:8], "big") for packet in router.collect("out0")]


def test_numbers_of_routes_go_on():
    router = runtime(routed(HOST, TUNNEL))
    assert through(router, 3) == [300, 301, 302]
    router = runtime(routed(TUNNEL, "10.9.0.0/24 18.26.4.1 2", HOST, "CAPACITY 7"), router)
    assert through(router, 2) == [303, 304]
    # A router without the route remembers it for the next one.
    for text in (routed(HOST), routed(HOST, TUNNEL)):
        router = runtime(text, router)
    assert through(router, 2) == [305, 306]
    router = runtime(routed(HOST, OTHER_KEYS), router)
    assert through(router, 2) == [300, 301]
    router.close()


def test_numbers_of_routes_that_come_and_go():
    router = runtime(routed(HOST, TUNNEL))
    assert through(router, 2) == [300, 301]
    steps = [("set", TUNNEL), ("ctrl", f"remove 10.8.0.0/24\nadd {TUNNEL}"), ("set", TUNNEL.replace(" 300 ", " 200 "))]
    for number, (handler, text) in enumerate(steps):
        router.handlers.write("rt", handler, text)
        assert through(router, 1) == [302 + number]
    # The place of a route that went isn't the next one's as long as there are others.
    router.handlers.write("rt", "remove", "10.8.0.0/24")
    router.handlers.write("rt", "add", "10.9.0.0/24 18.26.4.1 1 235 " + f"{CIPHER} {DIGEST} 1 64")
    router.handlers.write("rt", "add", TUNNEL)
    assert through(router, 1) == [305]
    assert through(router, 1, "10.9.0.1") == [1]
    router.handlers.write("rt", "set", OTHER_KEYS)
    assert through(router, 2) == [300, 301]
    router.close()
