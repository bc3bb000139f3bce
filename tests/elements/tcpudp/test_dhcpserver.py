"""DHCPServer: what RFC 2131 (4.1, 4.3), RFC 2132, RFC 6842 and RFC 3046 (2.2) ask of servers."""

import pytest
from scapy.layers.dhcp import BOOTP, DHCP
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from tests.elements.swapped import runtime

from clickbpf.errors import ClickError

OWN, MAC = "10.1.0.1", "02:00:00:00:00:10"
HEAD = f"FromDevice(site) -> MarkIPHeader -> CheckUDPHeader -> x :: DHCPServer({OWN}, {MAC}, 10.1.0.1/24"
TAIL = """;
    x[0] -> Strip(14) -> CheckIPHeader -> CheckUDPHeader -> Unstrip(14) -> Queue -> ToDevice(site);
    x[1] -> CheckIPHeader -> CheckUDPHeader -> Queue -> ToDevice(uplink);
"""
TEXT = f"{HEAD}, 10.1.0.100, 10.1.0.102, DNS 10.9.0.1 10.9.0.2, DOMAIN site.example, LEASE 1000){TAIL}"
DISCOVER, OFFER, REQUEST, DECLINE, ACK, NAK, RELEASE, INFORM = range(1, 9)
FIRST, SECOND, THIRD = "10.1.0.100", "10.1.0.101", "10.1.0.102"


def asked(type_: int, host: int = 1, to: str = "255.255.255.255", more: list = [], **fields) -> bytes:  # noqa: B006
    """A message of a host; `more` options."""
    fields = {"op": 1, "chaddr": bytes([2, 0, 0, 0, 0, host]), "xid": host} | fields
    message = BOOTP(**fields) / DHCP(options=[("message-type", type_), *more, "end"])
    return bytes(IP(src="0.0.0.0", dst=to) / UDP(sport=68, dport=67) / message)


def taken(address: str, host: int = 1, server: str = OWN) -> bytes:
    """A host takes an offer."""
    return asked(REQUEST, host, more=[("requested_addr", address), ("server_id", server)])


class Host:
    """What the router does for hosts."""

    def __init__(self, router):
        self.router = router

    def hears(self, data: bytes):
        """The frame that answers, if there is one."""
        sent = self.router.send("site", data)
        assert len(sent) <= 1
        return (Ether if sent[0].device == "site" else IP)(sent[0].data) if sent else None

    def gets(self, data: bytes) -> tuple[int, str]:
        """The answer's type and address."""
        answer = self.hears(data)
        return dict(each[:2] for each in answer[DHCP].options if len(each) > 1)["message-type"], answer[BOOTP].yiaddr


@pytest.fixture
def host(router):
    return Host(router(TEXT))


def test_an_address(host):
    """An offer, and the lease, with all that the host needs to know (4.3.1, table 3)."""
    for message, type_ in ((asked(DISCOVER, more=[("requested_addr", SECOND)]), OFFER), (taken(SECOND), ACK)):
        frame = host.hears(message)
        assert (frame.src, frame.dst, frame[IP].src, frame[IP].dst) == (MAC, "02:00:00:00:00:01", OWN, SECOND)
        assert (frame[UDP].sport, frame[UDP].dport, frame[BOOTP].op, frame[BOOTP].xid, frame[BOOTP].yiaddr) == (67, 68, 2, 1, SECOND)
        assert len(frame[UDP].payload) >= 300
        told = [("message-type", type_), ("server_id", OWN), ("lease_time", 1000), ("renewal_time", 500), ("rebinding_time", 875)]
        told += [("subnet_mask", "255.255.255.0"), ("router", OWN), ("name_server", "10.9.0.1", "10.9.0.2"), ("domain", b"site.example")]
        assert frame[DHCP].options[:10] == [*told, "end"]
    assert host.router.read("x.leases") == f"{SECOND} 02-00-00-00-00-01 bound 1000\n"
    # Renewed by one packet to the server, from the address (4.3.2); the answer goes there. Rebound by a broadcast.
    host.router.advance(500)
    for to in (OWN, "255.255.255.255"):
        frame = host.hears(asked(REQUEST, ciaddr=SECOND, to=to, flags=0x8000))
        assert (frame.dst, frame[IP].dst, frame[BOOTP].ciaddr, frame[BOOTP].yiaddr) == ("02:00:00:00:00:01", SECOND, SECOND, SECOND)
    assert host.router.read("x.leases").endswith("bound 1000\n")
    # INFORM is answered without an address or a time (4.3.5).
    frame = host.hears(asked(INFORM, 7, ciaddr="10.1.0.9"))
    assert (frame[IP].dst, frame[BOOTP].yiaddr, frame[DHCP].options[2]) == ("10.1.0.9", "0.0.0.0", ("subnet_mask", "255.255.255.0"))


def test_who_gets_which(host):
    """4.3.1: its own, also when that is over; the one that it asks for, if free; the one that nobody has used for longest."""
    first = host.gets(asked(DISCOVER, 1))[1]
    assert host.gets(asked(DISCOVER, 1)) == (OFFER, first), "it hasn't heard"
    assert host.gets(taken(first, 1)) == (ACK, first)
    others = [each for each in (FIRST, SECOND, THIRD) if each != first]
    assert host.gets(asked(DISCOVER, 2, more=[("requested_addr", first)]))[1] in others
    assert host.gets(asked(DISCOVER, 3, more=[("requested_addr", others[0])]))[1] in others
    assert host.gets(taken(others[0], 2)) == (ACK, others[0])
    # All others are taken or offered: who takes the last one first has it. No offer keeps it from others.
    assert host.gets(asked(DISCOVER, 4)) == host.gets(asked(DISCOVER, 5)) == (OFFER, others[1])
    assert host.gets(taken(others[1], 4)) == (ACK, others[1])
    assert host.gets(taken(others[1], 5)) == (NAK, "0.0.0.0")
    assert host.hears(asked(DISCOVER, 6)) is None and host.router.dropped("x", "FULL") == 1
    # Released, it is another's only when nothing else is free (4.3.4).
    assert host.hears(asked(RELEASE, 2, to=OWN, ciaddr=others[0], more=[("server_id", OWN)])) is None
    assert host.gets(asked(DISCOVER, 2)) == host.gets(asked(DISCOVER, 6)) == (OFFER, others[0])
    host.router.write("x.release", first)
    assert first not in host.router.read("x.leases")
    # When leases are over, a host that asks first gets the one that has been free for longest.
    host.router.advance(1001)
    assert host.router.read("x.leases") == ""
    assert host.gets(asked(DISCOVER, 4)) == (OFFER, others[1]) and host.gets(asked(DISCOVER, 9)) == (OFFER, first)


def test_refusals(host):
    """4.3.2 and 4.3.3."""
    assert host.gets(taken(FIRST, 1)) == (ACK, FIRST) and host.gets(taken(THIRD, 2)) == (ACK, THIRD)
    # A host that begins again: with its address; with another's; with one of another network; unknown, it is left to other servers.
    again = [("requested_addr", FIRST)]
    assert host.gets(asked(REQUEST, 1, more=again)) == (ACK, FIRST)
    assert host.gets(asked(REQUEST, 2, more=again)) == host.gets(asked(REQUEST, 3, more=again)) == (NAK, "0.0.0.0")
    refused = host.hears(asked(REQUEST, 3, more=[("requested_addr", "10.2.0.1")], ciaddr="0.0.0.0"))
    assert (refused.dst, refused[IP].dst) == ("ff:ff:ff:ff:ff:ff", "255.255.255.255")
    assert refused[DHCP].options[:3] == [("message-type", NAK), ("server_id", OWN), "end"], "and nothing else (table 3)"
    for address in (SECOND, "10.1.0.7"):
        assert host.hears(asked(REQUEST, 3, more=[("requested_addr", address)])) is None
    # One that renews is known to have had its address from here, though it has been forgotten.
    assert host.gets(asked(REQUEST, 3, ciaddr=SECOND, to=OWN)) == (ACK, SECOND)
    # The offer of another server was taken, and this one's is free again.
    host.router.write("x.release", SECOND)
    host.router.write("x.release", FIRST)
    address = host.gets(asked(DISCOVER, 8))[1]
    assert f"{address} 02-00-00-00-00-08 offered 60\n" in host.router.read("x.leases")
    assert host.hears(taken("10.1.0.50", 8, "10.1.0.3")) is None and "offered" not in host.router.read("x.leases")
    # Somebody else uses an address: it stays unused. Only who has an address can decline or release it.
    for type_ in (DECLINE, RELEASE):
        host.hears(asked(type_, 1, ciaddr=THIRD, more=[("requested_addr", THIRD), ("server_id", OWN)]))
    assert f"{THIRD} 02-00-00-00-00-02 bound" in host.router.read("x.leases")
    assert host.hears(asked(DECLINE, 2, more=[("requested_addr", THIRD), ("server_id", OWN)])) is None
    assert f"{THIRD} 02-00-00-00-00-02 declined 1000\n" in host.router.read("x.leases")
    assert host.gets(asked(DISCOVER, 2))[1] != THIRD and host.gets(taken(THIRD, 2)) == (NAK, "0.0.0.0")


def test_who_is_who(host):
    """A client identifier counts before the hardware address (4.2), and is repeated (RFC 6842), as what a relay has said (RFC 3046)."""
    named = [("client_id", b"\xffsomebody"), ("relay_agent_information", b"\x01\x01a")]
    answer = host.hears(asked(DISCOVER, 1, more=named))
    assert [each for each in answer[DHCP].options if each in named] == named
    assert host.gets(asked(DISCOVER, 2, more=named)) == (OFFER, answer[BOOTP].yiaddr)
    assert host.gets(asked(DISCOVER, 1))[1] != answer[BOOTP].yiaddr
    # To all, where the host wants that, and where frames to it can't be made.
    for fields in ({"flags": 0x8000}, {"htype": 6}):
        frame = host.hears(asked(DISCOVER, 1, **fields))
        assert (frame.dst, frame[IP].dst) == ("ff:ff:ff:ff:ff:ff", "255.255.255.255")


def test_by_a_relay(router):
    """Answers go to the relay's port 67 (4.1); a refusal asks the relay to broadcast it (4.3.2)."""
    away = Host(router(f"{HEAD.replace('10.1.0.1/24', '10.5.0.0/24')}, 10.5.0.9, 10.5.0.9, ROUTER 10.5.0.1){TAIL}"))
    answer = away.hears(asked(DISCOVER, giaddr="10.5.0.2"))
    assert (answer.src, answer.dst, answer[UDP].dport, answer[BOOTP].giaddr, answer[BOOTP].yiaddr) == (
        OWN, "10.5.0.2", 67, "10.5.0.2", "10.5.0.9",
    )  # fmt: skip
    assert ("router", "10.5.0.1") in answer[DHCP].options
    assert away.hears(asked(REQUEST, giaddr="10.5.0.2", more=[("requested_addr", "10.6.0.1")]))[BOOTP].flags == 0x8000
    assert away.hears(asked(REQUEST, ciaddr="10.5.0.9", to=OWN))[UDP].dport == 68, "renewed without a relay"
    for fields in ({}, {"giaddr": "10.6.0.2"}):
        assert away.hears(asked(DISCOVER, **fields)) is None
    assert away.router.dropped("x", "FILTERED") == 2


def test_what_is_no_request(host):
    good = asked(DISCOVER)
    for bad in (asked(DISCOVER, op=2), good[:-3].replace(b"\x35\x01\x01", b"\x35\xff\x01"), good.replace(b"\x35\x01\x01", b"\x35\x02\x01")):
        whole = IP(bad)
        del whole[IP].len, whole[IP].chksum, whole[UDP].len, whole[UDP].chksum
        before = host.router.dropped("x", "MALFORMED")
        assert host.hears(bytes(whole)) is None and host.router.dropped("x", "MALFORMED") == before + 1, bad


def test_leases_go_on():
    """In a router that takes this one's place, under any name, for the addresses that it gives away, too; hosts are known again."""
    old = runtime(TEXT)
    for message in (asked(DISCOVER, 2), taken(SECOND, 2), taken(THIRD, 3)):
        old.inject("site", message)
    assert len(old.collect("site")) == 3
    text = TEXT.replace("x", "y").replace("10.1.0.100, 10.1.0.102", "10.1.0.101, 10.1.0.101").replace("eyample", "example")
    new = runtime(text, old)
    assert new.handlers.read("y", "leases") == f"{SECOND} 02-00-00-00-00-02 bound 1000\n"
    new.inject("site", asked(REQUEST, 2, more=[("requested_addr", SECOND)]))
    assert [Ether(frame)[BOOTP].yiaddr for frame in new.collect("site")] == [SECOND]
    new.close()


@pytest.mark.parametrize(
    "arguments, wrong",
    [
        ("10.1.1.1, 10.1.0.9", "FIRST is not in NETWORK"),
        ("10.1.0.9, 10.1.0.8", "LAST is before FIRST"),
        ("10.1.0.1, 10.1.0.8", "IP is one of the addresses"),
        (f"10.1.0.2, 10.1.0.8, DOMAIN {'a' * 200}", "too long"),
    ],
)
def test_mistakes(router, arguments, wrong):
    with pytest.raises(ClickError, match=wrong):
        router(f"{HEAD}, {arguments}){TAIL}")
