"""SYNProxy on all executors: what becomes of each segment, and of connections' numbers."""

from dataclasses import replace

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption
from scapy.layers.inet6 import ICMPv6EchoReply, ICMPv6PacketTooBig, IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from tests.elements.swapped import runtime, verdicts_while_state_moves

from clickbpf.testing.cases import Case
from clickbpf.testing.executors.bpf import HANDED, SENT
from clickbpf.testing.packets import IPV6, Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.reach import Reach

CASES = [
    Case("SYNProxy(80, 53)", ninputs=2, noutputs=2, headers="ip", mix=Mix(transports=weights(tcp=8, udp=1), large=10)),
    Case("SYNProxy(80, 53)", ninputs=2, noutputs=2, headers="ip6", mix=replace(IPV6, transports=weights(tcp=8, udp=1))),
]
PUNTS = [Reach("SYNProxy(80)", 2, 2, "ip6-checked", mix=IPV6)]
UNREACHED = {
    "SYNProxy": {
        "synproxy.c: #else return PUNT;": "only who has received an answer can acknowledge it: the tests here",
        "synproxy.c: if (!SELF(become)(p, x, true)) return PUNT;": "XDP always has room in front of answers",
        "synproxy.c: if (!USERSPACE && read_once(var(vars)->moving)) return PUNT;": "test_connections_that_move_are_handed_over",
    }
}

NOPS = [("NOP", None)] * 2
CLIENT, SERVER = IP(src="10.0.0.2", dst="10.0.1.2"), IP(src="10.0.1.2", dst="10.0.0.2")
CLIENT6, SERVER6 = IPv6(src="2001:db8::2", dst="2001:db8:1::2"), IPv6(src="2001:db8:1::2", dst="2001:db8::2")


class Connection:
    """A connection through a proxy, whose two ends a test plays: the client chose 1000, the server 5000."""

    isn, server_isn = 1000, 5000

    def __init__(self, element, version: int, arguments: str = "80", port: int = 4000, mss: int = 1460):
        headers = "ip-checked" if version == 4 else "ip6-checked"
        self.x = element(f"SYNProxy({arguments})", ninputs=2, noutputs=2, headers=headers, simtime=True)
        self.version, self.port, self.mss, self.cookie = version, port, mss, None
        self.from_client, self.from_server = (CLIENT, SERVER) if version == 4 else (CLIENT6, SERVER6)
        #: The segments that servers take, as clients learn; those of a client that offers little.
        self.most, self.least = (1460, 536) if version == 4 else (1440, 1220)

    def client(self, flags: str, seq: int, ack: int = 0, data: bytes = b"", **fields) -> None:
        tcp = TCP(sport=self.port, dport=80, flags=flags, seq=seq, ack=ack, **{"window": 5000, **fields})
        self.x.send(self.from_client / tcp / data, input=0)

    def server(self, flags: str, seq: int, ack: int = 0, data: bytes = b"", **fields) -> None:
        tcp = TCP(sport=80, dport=self.port, flags=flags, seq=seq, ack=ack, **{"window": 7000, **fields})
        self.x.send(self.from_server / tcp / data, input=1)

    def sees(self, output: int, flags: str, seq: int, ack: int, data: bytes = b"", **fields) -> None:
        """A segment as it must arrive at the server (output 0) or client (1), with right checksums."""
        ends = {"sport": self.port, "dport": 80} if output == 0 else {"sport": 80, "dport": self.port}
        left = self.x.expect(output).packet
        wanted = TCP(**ends, flags=flags, seq=seq, ack=ack, **{"window": 5000 if output == 0 else 7000, **fields}) / data
        front = self.from_client if output == 0 else self.from_server
        assert bytes(left[TCP]) == bytes(type(front)(bytes(front / wanted))[TCP])
        assert (left.src, left.dst) == (front.src, front.dst)

    def asks(self) -> None:
        """The client's SYN, and its acknowledgement of the cookie."""
        self.client("S", self.isn, options=[("SAckOK", b""), ("MSS", self.mss), ("WScale", 7)])
        answer = self.x.expect(1).packet[TCP]
        assert (answer.flags, answer.ack, answer.window, answer.options) == ("SA", self.isn + 1, 0, offers(self.most))
        self.cookie = answer.seq
        self.client("A", self.isn + 1, self.cookie + 1)
        self.sees(0, "S", self.isn, 0, options=offers(max(self.mss, self.least)))

    def opens(self) -> None:
        self.asks()
        self.server("SA", self.server_isn, self.isn + 1, options=[("MSS", 1460)])
        self.accepted()

    def accepted(self) -> None:
        """Both hear of it; the client's first window is known to 256 bytes."""
        self.sees(0, "A", self.isn + 1, self.server_isn + 1, window=5000 // 256 * 256)
        self.sees(1, "A", self.cookie + 1, self.isn + 1)

    def carries(self) -> None:
        """Data of both sides, before and after which nothing else leaves."""
        self.client("PA", self.isn + 1, self.cookie + 1, b"question")
        self.sees(0, "PA", self.isn + 1, self.server_isn + 1, b"question")
        self.server("PA", self.server_isn + 1, self.isn + 9, b"answer")
        self.sees(1, "PA", self.cookie + 1, self.isn + 9, b"answer")
        self.x.expect_nothing()


def offers(mss: int | None = 1460, sack: bool = True, stamps: tuple[int, int] | None = None, scale: int | None = None) -> list:
    """Options as the proxy writes them, in Linux's order."""
    sizes = [("MSS", mss)] if mss else []
    if stamps is None:
        return sizes
    front = [("SAckOK", b"")] if sack else [("NOP", None)] * 2
    return [*sizes, *front, ("Timestamp", stamps), *([] if scale is None else [("NOP", None), ("WScale", scale)])]


def stamped(stamp: int, echo: int, *more: tuple) -> list:
    return [("NOP", None), ("NOP", None), ("Timestamp", (stamp & 0xFFFFFFFF, echo & 0xFFFFFFFF)), *more]


def numbers(first: int, *after: int) -> tuple[int, ...]:
    """Sequence numbers after a stream's first one."""
    return tuple(first + n & 0xFFFFFFFF for n in after)


class Modern(Connection):
    """A connection with all options. The client's window scale is 9, its first timestamp 100; the server's are 5 and 7000."""

    def asks(self, **offered) -> None:
        """The client's SYN has some of the options; so have the proxy's answer and its SYN to the server."""
        offered = {"sack": True, "scale": 9, **offered}
        self.client("S", self.isn, options=offers(stamps=(100, 0), **offered))
        answer = self.x.expect(1).packet[TCP]
        self.cookie, self.stamp = answer.seq, dict(answer.options)["Timestamp"][0]
        scale = None if offered["scale"] is None else 7
        assert (answer.window, answer.options) == (0, offers(self.most, stamps=(self.stamp, 100), **{**offered, "scale": scale}))
        self.client("A", self.isn + 1, self.cookie + 1, window=600, options=stamped(101, self.stamp))
        window = min(65535, 600 << (offered["scale"] or 0))
        self.sees(0, "S", self.isn, 0, window=window, options=offers(stamps=(101, 0), **offered))

    def accepts(self, stamp: int = 7000, **offered) -> None:
        self.server("SA", self.server_isn, self.isn + 1, window=60000, options=offers(stamps=(stamp, 101), **{"scale": 5, **offered}))


@pytest.fixture(params=[4, 6], ids=["ipv4", "ipv6"])
def version(request):
    return request.param


@pytest.fixture
def modern(element, version):
    return lambda *arguments, **named: Modern(element, version, *arguments, **named)


@pytest.fixture
def connection(element, version):
    return lambda *arguments, **named: Connection(element, version, *arguments, **named)


@pytest.mark.parametrize("mss", [1460, 536])
def test_a_connection_from_its_first_segment_to_its_last(connection, mss):
    c = connection(mss=mss)
    c.opens()
    c.carries()
    c.client("FA", c.isn + 9, c.cookie + 7)
    c.sees(0, "FA", c.isn + 9, c.server_isn + 7)
    c.server("FA", c.server_isn + 7, c.isn + 10)
    c.sees(1, "FA", c.cookie + 7, c.isn + 10)
    c.client("A", c.isn + 10, c.cookie + 8)
    c.sees(0, "A", c.isn + 10, c.server_isn + 8)
    assert [c.x.read(name) for name in ("answered", "accepted", "opened", "open")] == ["1", "1", "1", "0"]


def test_timestamps_bring_window_scales_and_selective_acknowledgements(modern):
    """Their numbers are translated as well: the server's window has units of 2^5 bytes, the client knows of 2^7."""
    c = modern()
    c.asks()
    for later in (0, 5):  # the server may say so again
        c.accepts(7000 + later)
        c.sees(0, "A", c.isn + 1, c.server_isn + 1, window=512, options=stamped(101, 7000 + later))
        c.sees(1, "A", c.cookie + 1, c.isn + 1, window=60000 >> 7, options=stamped(c.stamp + later, 101))
    c.server("PA", c.server_isn + 1, c.isn + 1, b"hello", window=2000, options=stamped(7010, 101))
    c.sees(1, "PA", c.cookie + 1, c.isn + 1, b"hello", window=500, options=stamped(c.stamp + 10, 101))
    sack, here = (numbers(first, 10, 20, 30, 40) for first in (c.cookie, c.server_isn))
    c.client("A", c.isn + 1, c.cookie + 6, window=60000, options=stamped(120, c.stamp + 10, *NOPS, ("SAck", sack)))
    c.sees(0, "A", c.isn + 1, c.server_isn + 6, window=60000, options=stamped(120, 7010, *NOPS, ("SAck", here)))
    sack = numbers(c.isn, 10, 20)
    c.server("A", c.server_isn + 6, c.isn + 1, options=stamped(7020, 120, *NOPS, ("SAck", sack)))
    c.sees(1, "A", c.cookie + 6, c.isn + 1, window=7000 >> 2, options=stamped(c.stamp + 20, 120, *NOPS, ("SAck", sack)))


def test_options_may_be_anywhere(modern):
    """At odd offsets, between others, alone, or as the only acknowledgement; what ends early, or isn't what it says, stays as it is."""
    c = modern()
    c.asks()
    c.accepts()
    c.x.expect(0), c.x.expect(1)
    later, here = c.stamp + 9 & 0xFFFFFFFF, 7009
    sacks, there = (numbers(first, 3, 7) for first in (c.cookie, c.server_isn))
    for said, heard in (
        ([("NOP", None), ("Timestamp", (1, later)), ("EOL", None)], [("NOP", None), ("Timestamp", (1, here)), ("EOL", None)]),
        ([("SAck", sacks), ("NOP", None), ("Timestamp", (1, later))], [("SAck", there), ("NOP", None), ("Timestamp", (1, here))]),
        ([(253, b"abc"), ("Timestamp", (1, later)), ("SAck", sacks)], [(253, b"abc"), ("Timestamp", (1, here)), ("SAck", there)]),
        ([("NOP", None)] * 30 + [("Timestamp", (1, later))], [("NOP", None)] * 30 + [("Timestamp", (1, here))]),
        ([("EOL", None), ("Timestamp", (1, later))], None),
        ([(8, b"12345678901")], None),
        ([(5, b"12345678901")], None),
    ):
        c.client("A", c.isn + 1, c.cookie + 1, options=said)
        c.sees(0, "A", c.isn + 1, c.server_isn + 1, options=said if heard is None else heard)


@pytest.mark.parametrize(
    "offered",
    [{"sack": False}, {"scale": None}, {"sack": False, "scale": None}, {"scale": 0}, {"scale": 2}, {"scale": 14}],
    ids=str,
)
def test_a_client_that_offers_less(modern, offered):
    """Without a window scale, the server's windows are multiples of 1 for it."""
    c = modern()
    c.asks(**offered)
    has_scale = offered.get("scale", 9) is not None
    c.accepts(scale=5 if has_scale else None)
    c.x.expect(0)
    c.sees(1, "A", c.cookie + 1, c.isn + 1, window=60000 >> 7 if has_scale else 60000, options=stamped(c.stamp, 101))
    c.server("A", c.server_isn + 1, c.isn + 1, window=400, options=stamped(7000, 101))
    c.sees(1, "A", c.cookie + 1, c.isn + 1, window=100 if has_scale else 400, options=stamped(c.stamp, 101))


def test_the_largest_window_scale_is_14(modern):
    """RFC 7323, 2.3: a larger one is taken for that."""
    c = modern()
    c.client("S", c.isn, options=offers(stamps=(100, 0), scale=15))
    answer = c.x.expect(1).packet[TCP]
    c.client("A", c.isn + 1, answer.seq + 1, window=1, options=stamped(101, dict(answer.options)["Timestamp"][0]))
    c.sees(0, "S", c.isn, 0, window=1 << 14, options=offers(stamps=(101, 0), scale=14))


def test_a_server_without_window_scale(modern):
    """The client scales its windows all the same, as it believes that the server does."""
    c = modern()
    c.asks()
    c.accepts(scale=None)
    c.sees(0, "A", c.isn + 1, c.server_isn + 1, window=65535, options=stamped(101, 7000))
    c.x.expect(1)
    for window, bytes_ in ((3, 3 << 9), (127, 127 << 9), (128, 65535), (65535, 65535)):
        c.client("A", c.isn + 1, c.cookie + 1, window=window, options=stamped(102, c.stamp))
        c.sees(0, "A", c.isn + 1, c.server_isn + 1, window=bytes_, options=stamped(102, 7000))
    c.server("A", c.server_isn + 1, c.isn + 1, window=6400, options=stamped(7001, 102))
    c.sees(1, "A", c.cookie + 1, c.isn + 1, window=50, options=stamped(c.stamp + 1, 102))


def test_a_server_without_timestamps(modern):
    c = modern()
    c.asks()
    c.server("SA", c.server_isn, c.isn + 1, window=60000, options=[("MSS", 1460), ("NOP", None), ("WScale", 7)])
    c.sees(0, "A", c.isn + 1, c.server_isn + 1, window=512)
    c.sees(1, "A", c.cookie + 1, c.isn + 1, window=60000 >> 7)
    c.client("A", c.isn + 1, c.cookie + 1, options=stamped(102, c.stamp))
    c.sees(0, "A", c.isn + 1, c.server_isn + 1, options=stamped(102, c.stamp))


def test_arguments_say_what_servers_offer(element):
    x = element("SYNProxy(80, MSS 1400, WSCALE 3, SACK false)", ninputs=2, noutputs=2, headers="ip-checked")
    syn = CLIENT / TCP(sport=4000, dport=80, options=offers(stamps=(100, 0), scale=9))
    x.send(syn, input=0)
    answer = x.expect(1).packet[TCP]
    stamp = dict(answer.options)["Timestamp"][0]
    assert answer.options == offers(1400, sack=False, stamps=(stamp, 100), scale=3)
    x = element("SYNProxy(80, TIMESTAMP false)", ninputs=2, noutputs=2, headers="ip-checked")
    x.send(syn, input=0)
    assert x.expect(1).packet[TCP].options == [("MSS", 1460)]


def test_an_acknowledgement_must_echo_the_timestamp(modern):
    """Otherwise nobody knows what the SYN has offered."""
    c = modern()
    for echo in (0x20, -0x20, None):
        c.client("S", c.isn, options=offers(stamps=(100, 0), scale=9))
        answer = c.x.expect(1).packet[TCP]
        options = [] if echo is None else stamped(101, dict(answer.options)["Timestamp"][0] + echo)
        c.client("A", c.isn + 1, answer.seq + 1, options=options)
        c.sees(0, "S", c.isn, 0, options=[("MSS", 1460)])


def test_the_acknowledgement_may_be_lost(connection):
    """Linux then probes the window with the number before its next one, others with a byte of data."""
    for probe in ({"seq": Connection.isn}, {"seq": Connection.isn + 1, "data": b"x"}):
        c = connection()
        c.client("S", c.isn)
        c.cookie = c.x.expect(1).packet[TCP].seq
        for _ in range(2):  # nor need the server have heard the first SYN
            c.client("A", ack=c.cookie + 1, **probe)
            c.sees(0, "S", c.isn, 0, options=offers(c.least))
        c.server("SA", c.server_isn, c.isn + 1)
        c.accepted()
        c.carries()


def test_a_server_that_repeats_itself_hears_again(connection):
    c = connection()
    c.opens()
    c.server("SA", c.server_isn, c.isn + 1)
    c.accepted()
    c.server("SA", c.server_isn + 1, c.isn + 1)  # that is another connection
    c.x.expect_nothing()
    c.carries()
    assert c.x.read("opened") == "1"


def test_a_server_may_refuse(connection):
    c = connection()
    c.asks()
    c.server("RA", 0, c.isn + 5, window=0)  # of another SYN
    c.x.expect_nothing()
    c.server("RA", 0, c.isn + 1, window=0)
    c.sees(1, "RA", c.cookie + 1, c.isn + 1, window=0)


@pytest.mark.parametrize("off", [1, 2, 4, -4, 1 << 31])
def test_a_guess_is_reset(connection, off):
    c = connection()
    c.client("S", c.isn)
    cookie = c.x.expect(1).packet[TCP].seq
    c.client("A", c.isn + 1, cookie + 1 + off & 0xFFFFFFFF)
    reset = c.x.expect(1).packet[TCP]
    assert (reset.flags, reset.seq) == ("R", cookie + 1 + off & 0xFFFFFFFF)
    c.client("A", c.isn + 1 + off & 0xFFFFFFFF, cookie + 1)  # nor is the cookie good for another number
    assert c.x.expect(1).packet[TCP].flags == "R"
    assert c.x.read("reset") == "2"


def test_others_pass(connection):
    c = connection()
    for segment in (TCP(dport=81, flags="S"), TCP(sport=80, dport=9, flags="S"), TCP(sport=5, dport=80, flags="R"), UDP(dport=80)):
        c.x.passes(c.from_client / segment)
    for segment in (TCP(sport=81, dport=80, flags="SA"), TCP(sport=80, dport=9, flags="A"), UDP(dport=80)):
        c.x.send(c.from_server / segment, input=1)
        c.x.expect(1, c.from_server / segment)
    c.client("SF", 1)
    c.x.expect_nothing()


def too_long(version: int):
    """The front of an error to the server, before what it quotes."""
    if version == 4:
        return IP(src="10.0.9.9", dst=SERVER.src) / ICMP(type=3, code=4, nexthopmtu=1300)
    return IPv6(src="2001:db8:9::9", dst=SERVER6.src) / ICMPv6PacketTooBig(mtu=1300)


def test_errors_about_what_a_server_sent(modern):
    """A router on the way quotes a segment by the number that the client knows. The quote may end there, and has perhaps options."""
    c = modern()
    c.asks()
    c.accepts()
    c.x.expect(0), c.x.expect(1)
    with_option = IP(src=SERVER.src, dst=SERVER.dst, options=[IPOption(b"\x01")])
    for front in (SERVER, with_option) if c.version == 4 else (SERVER6,):
        for length in (8, 20):
            quotes = []
            for number in (c.cookie, c.server_isn):
                quoted = front / TCP(sport=80, dport=c.port, seq=number + 1000 & 0xFFFFFFFF, chksum=7)
                quotes.append(too_long(c.version) / Raw(bytes(quoted)[: -20 + length or None]))
            c.x.send(quotes[0], input=0)
            c.x.expect(0, quotes[1])


def test_other_messages_pass(modern):
    """Those about segments of nobody, of a client or before a server has accepted; and those that are cut, or are no errors."""
    c = modern()
    c.asks()
    quoted, error = bytes(c.from_server / TCP(sport=80, dport=c.port, seq=c.cookie + 1 & 0xFFFFFFFF)), too_long(c.version)
    c.x.passes(error / Raw(quoted))
    c.accepts()
    c.x.expect(0), c.x.expect(1)
    for packet in (
        error / Raw(quoted[:-13]),
        error / Raw(quoted[:19]),
        error / Raw(bytes(c.from_server / TCP(sport=80, dport=1))),
        error / Raw(bytes(c.from_server / TCP(sport=81, dport=c.port))),
        error / Raw(bytes(c.from_server / UDP(sport=80, dport=c.port))),
        c.from_client / (ICMP(type=0) if c.version == 4 else ICMPv6EchoReply()) / Raw(quoted),
    ):
        c.x.passes(packet)
    error /= Raw(bytes(c.from_client / TCP(sport=c.port, dport=80, seq=c.isn + 1)))
    c.x.send(error, input=1)
    c.x.expect(1, error)


def test_segments_of_ipv6_behind_other_headers(element):
    """Answers have none; fragments pass."""
    x = element("SYNProxy(80)", ninputs=2, noutputs=2, headers="ip6-checked")
    syn = TCP(sport=4000, dport=80, flags="S")
    x.send(CLIENT6 / IPv6ExtHdrDestOpt() / syn)
    answer = x.expect(1).packet
    assert (answer.nh, answer[TCP].flags, answer[TCP].ack) == (6, "SA", 1)
    x.passes(CLIENT6 / IPv6ExtHdrFragment(m=1) / syn)


def test_a_forged_syn_ends_nothing(connection):
    c = connection()
    c.opens()
    c.client("S", 99)
    assert c.x.expect(1).packet[TCP].flags == "SA"
    c.carries()


def test_a_client_may_come_again_with_the_same_port(connection):
    """Its former connection is still open at the server, which has not heard of the end."""
    c = connection()
    c.opens()
    c.isn = 70000
    c.opens()
    c.carries()
    assert c.x.read("opened") == "2"


def test_forged_syns_keep_nobody_from_coming_again(connection):
    """They have other numbers and sizes, before and after the client's, and go on in the next minute."""
    c = connection()
    c.opens()
    for isn, mss, seconds in ((5, 1460, 0), (70000, 1300, 0), (6, 536, 0), (7, 1460, 69), (8, 536, 0)):
        c.x.advance(seconds)
        c.client("S", isn, options=[("MSS", mss)])
        answer = c.x.expect(1).packet[TCP]
        if isn == 70000:
            c.cookie = answer.seq
    c.client("A", 70001, c.cookie + 1)
    c.sees(0, "S", 70000, 0, options=[("MSS", 1300)])


def test_a_connection_is_forgotten(connection):
    """After TIMEOUT without packets; after a minute if both sides have ended it, or if the server hasn't accepted it."""
    c = connection("80, TIMEOUT 300")
    c.opens()
    for _ in range(3):
        c.x.advance(250)
        c.carries()
    c.x.advance(310)
    c.client("A", c.isn + 9, c.cookie + 7)
    assert c.x.expect(1).packet[TCP].flags == "R"
    c.port = 4001
    c.opens()
    c.server("R", c.server_isn + 1)
    c.sees(1, "R", c.cookie + 1, 0)
    for seconds, flags in ((30, "A"), (30, "A"), (70, "R")):
        c.x.advance(seconds)
        c.client("A", c.isn + 1, c.cookie + 1)
        assert c.x.expect(0 if flags == "A" else 1).packet[TCP].flags == flags


def test_the_one_silent_for_the_longest_makes_room(connection):
    c = connection("80, CAPACITY 8")
    for port in range(1, 10):
        c.port = port
        c.opens()
        c.x.advance(2)
    assert (c.x.read("open"), c.x.read("evicted")) == ("8", "1")
    c.port = 1
    c.client("A", c.isn + 1, c.cookie + 1)
    assert c.x.expect(1).packet[TCP].flags == "R"


def test_an_ethernet_header_is_turned_with_its_answer(element):
    x = element("SYNProxy(80)", ninputs=2, noutputs=2, headers="ip-in-ethernet")
    x.send(Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / CLIENT / TCP(dport=80, seq=7))
    answer = x.expect(1).packet
    assert (answer.src, answer.dst) == ("02:00:00:00:00:02", "02:00:00:00:00:01")
    x.send(Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / CLIENT / TCP(dport=80, seq=8, ack=answer[TCP].seq + 1, flags="A"))
    syn = x.expect(0).packet
    assert (syn.src, syn.dst, syn[TCP].flags) == ("02:00:00:00:00:01", "02:00:00:00:00:02", "S")


def routed(arguments: str) -> str:
    """Between the devices c, of clients, and s, of servers."""
    ways = ((0, "c", "s"), (1, "s", "c"))
    lines = (f"FromDevice({a}) -> MarkIPHeader(14) -> [{n}] p; p[{n}] -> Queue -> ToDevice({b});" for n, a, b in ways)
    return f"p :: SYNProxy({arguments}); {''.join(lines)}"


def open_in(router) -> bytes:
    """Open a hundred connections; an acknowledgement by the last client, of ten bytes from its server."""
    for port in range(100):
        client, server = Ether() / CLIENT / TCP(sport=port), Ether() / SERVER / TCP(sport=80, dport=port)
        client[TCP].seq = 1000
        router.inject("c", bytes(client))
        (answer,) = router.collect("c")
        client[TCP].seq, client[TCP].ack, client[TCP].flags = 1001, Ether(answer)[TCP].seq + 1, "A"
        router.inject("c", bytes(client))
        server[TCP].seq, server[TCP].ack, server[TCP].flags = 5000, 1001, "SA"
        router.inject("s", bytes(server))
        for device in "cs":
            router.collect(device)
    client[TCP].ack += 10
    return bytes(client)


@pytest.mark.parametrize("capacity", ["", ", CAPACITY 1000", ", CAPACITY 100000"])
def test_another_proxy_takes_the_connections_over(capacity):
    router = runtime(routed("80"))
    frame = open_in(router)
    router = runtime(routed("80" + capacity), router)
    router.inject("c", frame)
    (left,) = router.collect("s")
    assert Ether(left)[TCP].ack == 5011
    assert router.handlers.read("p", "open") == "100"
    router.close()


def test_connections_that_move_are_handed_over(monkeypatch):
    """While they move, a segment is neither reset nor translated by the kernel path."""
    old = runtime(routed("80"))
    frame = open_in(old)
    assert verdicts_while_state_moves(monkeypatch, old, routed("80"), "p", "c", frame) == (HANDED, SENT)
