"""DHCPRelay: what RFC 1542 (4.1), RFC 2131 (4.1) and RFC 3046 (2.1) ask of relay agents."""

import pytest
from scapy.layers.dhcp import BOOTP, DHCP
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from clickbpf.errors import ClickError

RELAY, SERVERS = "10.1.0.1", ["10.9.0.2", "10.9.0.3"]
MAC, HOST = "02:00:00:00:00:10", "02:00:00:00:00:01"
TEXT = f"""
    FromDevice(site) -> MarkIPHeader -> CheckUDPHeader -> [0] x :: DHCPRelay({RELAY}, {MAC}, {" ".join(SERVERS)}, CIRCUIT "floor 1",
        REMOTE \\<00ff>);
    FromDevice(uplink) -> MarkIPHeader -> [1] x;
    x[0] -> CheckIPHeader -> CheckUDPHeader -> Queue -> ToDevice(uplink);
    x[1] -> Strip(14) -> CheckIPHeader -> CheckUDPHeader -> Unstrip(14) -> Queue -> ToDevice(site);
"""
#: The option, its circuit and its remote end.
OPTION = bytes([82, 13, 1, 7]) + b"floor 1" + bytes([2, 2, 0, 255])
COOKIE, DISCOVER = bytes.fromhex("63825363"), bytes([53, 1, 1])


def message(options=DISCOVER + b"\xff", length=300, **fields) -> bytes:
    fields = {"op": 1, "chaddr": bytes.fromhex("020000000001"), "xid": 7} | fields
    return (bytes(BOOTP(**fields, options=b""))[:236] + COOKIE + options).ljust(length, b"\0")


def packet(body: bytes, source="0.0.0.0", destination="255.255.255.255") -> bytes:
    return bytes(IP(src=source, dst=destination) / UDP(sport=68, dport=67) / body)


def answered(**fields) -> bytes:
    options = bytes([53, 1, 2]) + OPTION + bytes([51, 4, 0, 0, 0, 9, 255])
    fields = {"op": 2, "giaddr": RELAY, "yiaddr": "10.1.0.77"} | fields
    return packet(message(options, **fields), SERVERS[0], RELAY)


def test_relay(router):
    r = router(TEXT)
    # The first relay says who it is, and where the request came from, to each server; the option is the last one.
    sent = r.send("site", packet(message(hops=3, flags=0x8000, secs=4)))
    assert sorted(IP(p.data)[IP].dst for p in sent) == SERVERS and {p.device for p in sent} == {"uplink"}
    for each in sent:
        ip = IP(each.data)
        assert (ip.src, ip[UDP].sport, ip[UDP].dport) == (RELAY, 67, 67) and each.data.endswith(bytes(ip[UDP].payload))
        assert bytes(ip[UDP].payload) == message(DISCOVER + OPTION + b"\xff", hops=4, flags=0x8000, secs=4, giaddr=RELAY)
    # A full message grows; one that has met a relay stays what it is; BOOTP has no such options.
    full = DISCOVER + bytes([61, 50]) + bytes(50) + b"\xff"
    told = full[:-1] + OPTION + b"\xff"
    assert body(r, packet(message(full))) == message(told, giaddr=RELAY, hops=1)
    assert body(r, packet(message(full, 1472))) == message(told, 1472, giaddr=RELAY, hops=1)
    assert body(r, packet(message(giaddr="10.5.0.1", hops=1))) == message(giaddr="10.5.0.1", hops=2)
    long = DISCOVER + b"".join(bytes([200, 250]) + bytes(250) for _ in range(4)) + bytes([201, 210]) + bytes(210) + b"\xff"
    assert body(r, packet(message(long))) == message(long, giaddr=RELAY, hops=1), "with the option it is too long"
    bootp = message().replace(COOKIE, bytes(4))
    assert body(r, packet(bootp))[240:] == bootp[240:]


def body(r, data: bytes) -> bytes:
    first, second = (bytes(IP(p.data)[UDP].payload) for p in r.send("site", data))
    assert first == second
    return first


@pytest.mark.parametrize(
    "fields, to, ether",
    [
        ({}, "10.1.0.77", HOST),
        ({"flags": 0x8000}, "255.255.255.255", "ff:ff:ff:ff:ff:ff"),
        ({"yiaddr": "0.0.0.0"}, "255.255.255.255", "ff:ff:ff:ff:ff:ff"),
        ({"htype": 6}, "255.255.255.255", "ff:ff:ff:ff:ff:ff"),
    ],
)
def test_answers(router, fields, to, ether):
    r = router(TEXT)
    (sent,) = r.send("uplink", answered(**fields))
    frame = Ether(sent.data)
    assert (sent.device, frame.src, frame.dst, frame[IP].src, frame[IP].dst) == ("site", MAC, ether, RELAY, to)
    assert (frame[UDP].sport, frame[UDP].dport, frame[BOOTP].giaddr) == (67, 68, RELAY)
    assert frame[DHCP].options[:3] == [("message-type", 2), ("lease_time", 9), "end"]
    assert sent.data[14 + 28 + 240 + 9 :].strip(b"\xff\0") == b"", "nothing of the option is left"


def test_refused(router):
    r = router(TEXT)
    cut = packet(message())[:-30]
    bad = {
        "EXPIRED": [("site", packet(message(hops=5)))],
        "FILTERED": [
            ("site", packet(message(giaddr=RELAY))),
            ("site", packet(message(DISCOVER + OPTION + b"\xff"))),
            ("uplink", answered(giaddr="10.5.0.1")),
        ],
        "MALFORMED": [
            ("site", packet(message(op=2))),
            ("uplink", answered(op=1)),
            ("uplink", cut),
            ("uplink", packet(message()[:239])),
            ("uplink", bytes(IP(src="10.9.0.2", dst=RELAY, proto=6) / message())),
        ],
    }
    for reason, packets in bad.items():
        for device, data in packets:
            before = r.dropped("x", reason)
            assert not r.send(device, data) and r.dropped("x", reason) == before + 1, (reason, data)
    # Options that end nowhere are the servers' business; none is added.
    for options in (bytes([53, 200, 1]), bytes([53, 1, 1]) + bytes(56) + bytes([12])):
        assert body(r, packet(message(options, 240 + len(options))))[240:] == options


def test_mistakes(router):
    for arguments, wrong in ((f"{MAC}, , CIRCUIT a", "SERVERS"), (f"{MAC}, 10.9.0.2, CIRCUIT {'a' * 254}", "too long")):
        with pytest.raises(ClickError, match=wrong):
            router(TEXT.replace(TEXT[TEXT.index(MAC) : TEXT.index(");")], arguments, 1))
