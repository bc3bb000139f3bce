"""TCP segment by segment, as RFC 9293 has it, with a far end that does what none should."""

import itertools

import pytest
from scapy.layers.inet import ICMP, IP, TCP
from scapy.layers.inet6 import ICMPv6PacketTooBig, IPv6
from scapy.layers.l2 import Ether
from scapy.packet import Packet
from tests.elements.tcp.line import FarEnd, segments

MS = 10**-3


@pytest.fixture(scope="module")
def shared():
    router = segments()
    yield router
    router.close()


@pytest.fixture
def far(shared, port=itertools.count(5000)) -> FarEnd:
    """The end of a connection of its own."""
    return FarEnd(shared, port=next(port))


@pytest.fixture
def make():
    """make("100, RTO_MIN 1") is the far end of a router of its own."""
    made = []

    def start(*arguments, version: int = 4, **options) -> FarEnd:
        made.append(FarEnd(segments(*arguments, version=version, **options), version))
        made[-1].hears_all = True
        return made[-1]

    yield start
    for end in made:
        end.router.close()


@pytest.mark.parametrize("version", [4, 6])
def test_an_echo_and_both_ends(make, version):
    far = make(version=version).connect()
    (answer,) = far.send("PA", b"hello")
    assert (bytes(answer.payload), answer.seq, answer.ack, answer.flags) == (b"hello", far.ack, far.seq + 5, "PA")
    far.seq, far.ack = far.seq + 5, far.ack + 5
    assert far.send() == []
    (end,) = far.send("FA")
    assert (end.flags, end.seq, end.ack) == ("FA", far.ack, far.seq + 1)
    far.seq, far.ack = far.seq + 1, far.ack + 1
    assert far.send() == []
    assert (far.read("table"), far.read("accepted"), far.read("ended"), far.read("received")) == ("", "1", "1", "5")


def test_addresses_of_the_other_version_are_none(make):
    """RFC 4291, 2.5.5.2: IPv4-mapped ones mean nodes of IPv4; in an IPv6 packet they would be somebody else's connection."""
    far = make(version=6)
    for source, destination in (("::ffff:10.0.0.2", "fd00::1"), ("fd00::2", "::ffff:10.0.0.1")):
        far.ip = IPv6(src=source, dst=destination)
        assert far.send("S") == []
    assert (far.read("table"), far.dropped("lookup")) == ("", 2)


def test_what_no_connection_wants_is_reset(far):
    """RFC 9293, 3.10.7.1: the sequence number is that which was acknowledged, or 0."""
    (answer,) = far.send("S", dport=8)
    assert (answer.flags, answer.seq, answer.ack) == ("RA", 0, far.seq + 1)
    (answer,) = far.send("A", ack=77)
    assert (answer.flags, answer.seq) == ("R", 77)
    assert far.send("R") == []
    assert far.dropped("listen") == 3


def test_a_silent_far_end_gets_it_again(make):
    """RFC 6298, 2.1 and 5.5: each time is twice the one before; then TCPConnections gives up, and says so."""
    far = make("100, RTO_MIN 1, NODELAY true, EXTENSIONS slowstart").connect()
    first, second = far.send("PA", bytes(1000))
    assert far.wait(0.9) == []
    (again,) = far.wait(0.2)
    assert (bytes(again.payload), again.seq) == (bytes(536), first.seq)
    assert far.wait(1.8) == []
    assert len(far.wait(0.2)) == 1
    *_, last = far.wait(1000)
    # The far end may have it all, and believes no reset with an older number.
    assert (last.flags, last.seq) == ("RA", second.seq + 464)
    assert (far.read("table"), far.read("aborted")) == ("", "1")


@pytest.mark.parametrize("off", [-1, 1, 1 << 20])
def test_a_handshake_ends_with_the_right_acknowledgement(far, off):
    """RFC 9293, 3.10.7.4, of SYN-RECEIVED: any other is answered by a reset with its number."""
    (answer,) = far.send("S")
    right = answer.seq + 1
    far.seq += 1
    (reset,) = far.send(ack=right + off)
    assert (reset.flags, reset.seq, far.read("accepted")) == ("R", right + off, "0")
    assert (far.send(ack=right), far.read("accepted")) == ([], "1")


def test_both_sides_open_at_once(make):
    """RFC 9293, figure 8: a SYN answers a SYN, then each answer has the SYN again. RFC 7323, 2.2: its window isn't scaled."""
    source = "TCPSource(tcp, 10.0.0.1, 10.0.0.2, 5000, LENGTH 5000, LIMIT 1) -> output;"
    far = make("10, EXTENSIONS windowscale", after=source)
    (syn,) = far.wait(0.01)
    options = {"dport": syn.sport, "options": [("MSS", 100), ("WScale", 7)]}
    (answer,) = far.send("S", b"early", ack=0, **options)
    assert (syn.flags, answer.flags, answer.seq, answer.ack) == ("S", "SA", syn.seq, far.seq + 1)
    data = far.send("SA", ack=syn.seq + 1, window=1000, **options) + far.wait(0.01)
    assert all(a.flags == "A" for a in data) and data[0].seq == syn.seq + 1
    assert bytes(data[0].payload) == bytes(range(100)), "nobody has seen the data before the acknowledgement"
    assert 800 <= sum(len(a.payload) for a in data) <= 1000


def test_data_beside_a_syn(make):
    """They are in the window that our SYN has announced (RFC 9293, 3.10.7.3). RFC 7323, 2.2: the window beside them isn't scaled."""
    source = "TCPSource(tcp, 10.0.0.1, 10.0.0.2, 5000, LENGTH 5000, LIMIT 1) -> output;"
    far = make("10, EXTENSIONS windowscale", after=source)
    (syn,) = far.wait(0.01)
    options = {"dport": syn.sport, "options": [("MSS", 100), ("WScale", 7)]}
    data = far.send("SA", b"hello", ack=syn.seq + 1, window=1000, **options) + far.wait(0.01)
    assert {a.ack for a in data} == {far.seq + 6}
    assert 800 <= sum(len(a.payload) for a in data) <= 1000


def test_a_syn_that_nobody_answers_is_forgotten(far):
    assert len(far.send("S")) == 1
    assert len([a for a in far.wait(200) if a.flags == "SA"]) == 5
    assert far.read("table") == ""


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2), (2, 0, 0, 3, 1, 1)])
def test_any_order(far, order):
    """Pieces that overlap; the last has the FIN."""
    data, far = bytes(range(40)), far.connect()
    answers = []
    for i in order:
        end = 10 * i + 12 if i < 3 else 40
        answers += far.send("FA" if i == 3 else "A", data[10 * i : end], seq=far.seq + 10 * i)
    assert answers[-1].ack == far.seq + 41
    echoed = bytearray(40)
    for a in answers:
        echoed[a.seq - far.ack : a.seq - far.ack + len(a.payload)] = bytes(a.payload)
    # The first answer may be all that Nagle's rule lets out: what it acknowledges brings the rest.
    for a in far.send("A", seq=far.seq + 41, ack=max(a.seq + len(a.payload) for a in answers)):
        echoed[a.seq - far.ack : a.seq - far.ack + len(a.payload)] = bytes(a.payload)
    assert (bytes(echoed), far.read("received")) == (data, "40")


def test_a_server_that_does_not_answer_is_asked_for_three_minutes(make):
    """RFC 9293, 3.8.3, MUST-23: after 1, 3, 7, 15, 31, 63 and 123 seconds again; given up before a minute more is over."""
    far = make("10", after="TCPSource(tcp, 10.0.0.1, 10.0.0.2, 5000, LIMIT 1) -> output;")
    assert [a.flags for a in far.wait(0.01) + far.wait(180)] == ["S"] * 8
    assert "SYN-SENT" in far.read("table")
    assert (far.wait(4), far.read("table"), far.read("aborted")) == ([], "", "1")


def test_of_pieces_that_differ_the_first_counts(far):
    far.connect()
    for data, at in ((b"A" * 10, 10), (b"B" * 20, 5), (b"C" * 12, 0)):
        answers = far.send("A", data, seq=far.seq + at)
    answers += far.send("A", seq=far.seq + 25, ack=answers[-1].seq + len(answers[-1].payload))
    assert b"".join(bytes(a.payload) for a in answers) == b"C" * 5 + b"B" * 5 + b"A" * 10 + b"B" * 5


def test_pieces_beyond_a_gap_are_bounded(far):
    """One byte each, every other one, and those beyond the window: 16 are kept, however many come."""
    far.connect()
    for i in range(40):
        (answer,) = far.send("A", b"x", seq=far.seq + 2 + 2 * i)
        assert answer.ack == far.seq
    assert far.dropped("reassemble") == 40 - 16
    far.send("A", b"x", seq=far.seq + 65535)
    far.send("A", b"x", seq=far.seq - 1)
    assert far.read("received") == "0"


@pytest.mark.parametrize("flags, offset", [("R", 1), ("R", 65000), ("S", 0), ("SA", 5)])
def test_a_forged_segment_is_challenged(far, flags, offset):
    """RFC 5961, 3.2 and 4.2: what a blind attacker guesses ends nothing; the answers are few."""
    far.connect()
    answers = [a for _ in range(20) for a in far.send(flags, seq=far.seq + offset)]
    assert [(a.flags, a.ack, a.seq) for a in answers] == [("A", far.seq, far.ack)]
    assert "ESTABLISHED" in far.read("table") and far.read("challenges") == "1"
    far.wait(0.6)
    assert len(far.send(flags, seq=far.seq + offset)) == 1


def test_a_true_reset_ends_the_connection(far):
    far.connect()
    assert far.send("R") == []
    assert (far.read("table"), far.read("resets")) == ("", "1")


@pytest.mark.parametrize("flags", ["R", "RA"])
def test_a_reset_outside_the_window_does_nothing(far, flags):
    far.connect()
    assert far.send(flags, seq=far.seq - 1) == far.send(flags, seq=far.seq + 70000) == []
    assert "ESTABLISHED" in far.read("table")


@pytest.mark.parametrize("ack", [1, 100000, -70000])
def test_an_acknowledgement_of_what_was_not_sent(far, ack):
    """RFC 5961, 5.2: its data are no connection's."""
    far.connect()
    answers = far.send("A", b"evil", ack=far.ack + ack)
    assert [(a.flags, a.ack) for a in answers] == [("A", far.seq)]
    assert far.read("received") == "0"


def test_data_without_an_acknowledgement_are_no_data(far):
    """RFC 9293, 3.10.7.4, fifth, also if the FIN beside them is beyond the window and cut off."""
    far.connect()
    for at in (0, 65535 - 4):
        assert not [a for a in far.send("F", b"evil", seq=far.seq + at, ack=0) if a.payload]
    assert far.read("received") == "0"


def too_big(far: FarEnd, mtu: int, seq: int) -> list[Packet]:
    """What follows when a router on the way says that a segment from the port 7 was too big."""
    tcp = bytes(TCP(sport=7, dport=far.port, seq=seq % 2**32))[:8]
    if far.layer is IP:
        quoted = bytes(IP(src=far.ip.dst, dst=far.ip.src, len=1500) / TCP())[:20] + tcp
        message = IP(src="10.9.9.9", dst=far.ip.dst) / ICMP(type=3, code=4, nexthopmtu=mtu) / quoted
    else:
        quoted = bytes(IPv6(src=far.ip.dst, dst=far.ip.src, nh=6)) + tcp
        message = IPv6(src="fd00::9", dst=far.ip.dst) / ICMPv6PacketTooBig(mtu=mtu) / quoted
    far.router.inject("in0", bytes(Ether() / message))
    return far.collect()


@pytest.mark.parametrize("version, least", [(4, 552 - 40), (6, 1280 - 60)])
def test_segments_become_as_small_as_the_way(make, version, least):
    """RFC 1191, RFC 8201: what is under way is sent again. RFC 5927, 4.1: who doesn't know a number under way changes nothing."""
    far = make("10, EXTENSIONS slowstart", version=version).connect(options=[("MSS", 1440)])
    for i in range(3):
        far.send("A", bytes([i]) * 1000, seq=far.seq + 1000 * i)
    headers = 40 if version == 4 else 60
    for mtu, seq in ((1300, far.ack - 1), (1300, far.ack + 3000), (1500, far.ack)):
        assert too_big(far, mtu, seq) == []
    again = too_big(far, 1400, far.ack + 1440)
    assert [(a.seq - far.ack, len(a.payload)) for a in again if a.payload][:2] == [(0, 1400 - headers), (1400 - headers, 1400 - headers)]
    assert too_big(far, 1400, far.ack) == too_big(far, 1450, far.ack) == []
    smallest = too_big(far, 0, far.ack)
    assert {len(a.payload) for a in smallest[:2]} == {least}
    assert version == 6 or {(a.underlayer.flags, a.underlayer.id > 0) for a in smallest} == {("", True)}, "routers may cut them up"


def test_a_closed_window_is_probed(far):
    """RFC 9293, 3.8.6.1: with a byte, each time later, for as long as the far end answers."""
    far.connect()
    (answer,) = far.send("PA", b"hello", window=0)
    assert (bytes(answer.payload), answer.ack) == (b"", far.seq + 5)
    far.seq += 5
    seen = []
    for _ in range(30):
        for probe in far.wait(60):
            seen.append(bytes(probe.payload))
            far.send("A", window=0)
    assert len(seen) >= 25 and set(seen) == {b"h"}
    far.send("A", window=100)
    assert b"hello" in [bytes(a.payload) for a in far.wait(61)] or far.read("sent") == "6"


def test_an_acknowledgement_of_less_says_nothing_of_the_window(far):
    """RFC 9293, 3.10.7.4: only SND.UNA =< SEG.ACK updates it, whatever data come with it."""
    far.connect()
    (answer,) = far.send("PA", b"one")
    far.seq, far.ack = far.seq + 3, far.ack + 3
    far.send("A")
    far.send("PA", b"wo", seq=far.seq + 1, ack=far.ack - 3, window=0)
    assert b"".join(bytes(a.payload) for a in far.send("A", b"t")) == b"two"


def test_a_small_segment_waits_for_what_is_under_way(far):
    """Nagle's algorithm (RFC 9293, 3.7.4)."""
    far.connect()
    sent = [[bytes(a.payload) for a in far.send("A", data, seq=far.seq + i)] for i, data in enumerate((b"a", b"b", b"c"))]
    assert sent == [[b"a"], [b""], [b""]]
    far.seq += 3
    assert [bytes(a.payload) for a in far.send("A", ack=far.ack + 1)] == [b"bc"]


def test_what_options_nobody_knows_say(make):
    """They are skipped (RFC 9293, 3.1): signatures (RFC 2385), Fast Open (RFC 7413), and experiments. Those after them count. What MTU
    leaves room for is announced, and no segment is longer."""
    for asked, least in ((700, 700), (1300, 1100)):
        far = make("10, MTU 1140").connect(options=[(19, bytes(16)), (34, b""), ("MSS", asked)])
        far.send("A", bytes(1100), options=[(253, b"\0\0"), (19, bytes(16))])
        (answer,) = FarEnd(far.router, port=6000).send("S")
        assert dict(answer.options)["MSS"] == 1100
        sent = far.send("A", bytes(1100), seq=far.seq + 1100, ack=far.ack + least)
        assert max(len(a.payload) for a in sent) == least


def test_tiny_windows_make_no_tiny_segments(far):
    """RFC 9293, 3.8.6.2.1: the sender avoids the silly window syndrome, and doesn't wait for ever."""
    far.connect()
    far.send("PA", bytes(3000), window=65535)
    far.seq += 3000
    sent = far.send("A", window=10)
    assert not [a for a in sent if 0 < len(a.payload) < 500]


def test_the_window_is_no_wider_than_what_waits(far):
    """An echo whose far end takes nothing back stops it: nothing is lost, and no more than the buffer is kept."""
    far.connect()
    sent, right = 0, far.seq + 65535
    while far.seq + sent + 1000 <= right:
        answers = far.send("A", bytes(1000), seq=far.seq + sent, window=0)
        sent += 1000
        right = max(right, *(a.ack + a.window for a in answers)) if answers else right
        assert sent <= 66000
    assert int(far.read("received")) == sent
    far.send("A", bytes(1000), seq=far.seq + sent, window=0)
    assert int(far.read("received")) <= 65536


def test_the_window_opens_by_segments(far):
    """RFC 9293, 3.8.6.2.2, MUST-39: what is announced invites no small segments, in however small steps room becomes free."""
    far.connect()
    edges = set()
    for _ in range(200):
        (answer,) = far.send("A", bytes(10))
        far.seq, far.ack = far.seq + 10, far.ack + 10
        edges.add(answer.ack + answer.window)
    assert 2 < len(edges) < 5 and {(b - a) // 536 for a, b in itertools.pairwise(sorted(edges))} == {1}


def test_memory_is_bounded(make):
    """Connections without memory for their bytes are reset; the others go on."""
    far = make("100, BUFFER 4096, MEMORY 8192")
    ends = []
    for port in range(6000, 6006):
        far.port, far.seq = port, 1000
        far.connect()
        ends += far.send("PA", b"hello", window=0)
    assert [a.flags for a in ends].count("RA") == 4
    assert (far.read("aborted"), len(far.read("table").splitlines())) == ("4", 2)


@pytest.mark.parametrize("version, others", [(4, ["10.0.0.3"]), (6, ["fd00::3", "fd00:0:0:1::2"])])
def test_a_peer_may_hold_so_much(make, version, others):
    """Connections that are open: not those that anybody may begin in its name, nor those that are over. A /64 is one peer."""
    far = make("100000, PEER 2", version=version)  # so many counts that two peers hardly share one
    for port in range(5000, 5005):
        far.send("S", sport=port, seq=5)

    def resets(port: int) -> int:
        far.port, far.seq, far.ack = port, 1000, 0
        (answer,) = far.send("S")
        far.seq, far.ack = far.seq + 1, answer.seq + 1
        return [a.flags for a in far.send()].count("RA")

    assert [resets(port) for port in (6000, 6001, 6002)] == [0, 0, 1]
    far.send("R", sport=6000, seq=1001)
    assert [resets(port) for port in (6004, 6005)] == [0, 1]
    for other in others:
        far.ip.src = other
        assert resets(6003) == (other == "fd00::3")


def test_a_flood_of_syns_leaves_connections_alone(make):
    far = make("10")
    far.connect()
    for port in range(20000, 20100):
        assert len(far.send("S", sport=port, seq=port)) == 1
    table = far.read("table").splitlines()
    assert (len(table), len([line for line in table if "ESTABLISHED" in line])) == (6, 1)
    (answer,) = far.send("PA", b"still here")
    assert bytes(answer.payload) == b"still here"
    far.port, far.seq, far.ack = 7000, 5, 0
    far.connect()


def test_full_of_connections(make):
    far = make("2")
    for port in (6001, 6002):
        far.port, far.seq, far.ack = port, 1000, 0
        far.connect()
    assert far.send("S", sport=6003) == []
    assert len(far.read("table").splitlines()) == 2 and far.dropped("listen") == 1


def test_initial_sequence_numbers(make):
    """RFC 6528: those of one pair of ports follow a clock of 4 µs; of others they can't be told from them."""
    far = make()
    first = far.send("S", sport=1)[0].seq
    other = far.send("S", sport=2)[0].seq
    far.send("R", sport=1, seq=far.seq + 1)
    far.wait(100 * MS)
    (again,) = [a for a in far.send("S", sport=1)]
    assert (again.seq - first) % 2**32 == 25000
    assert (other - first) % 2**32 > 1000


def test_a_connection_that_is_over_can_begin_again(far):
    """RFC 6191: a SYN beyond the old connection ends TIME-WAIT, an old one doesn't."""
    far.connect()
    (end,) = far.send("FA")
    far.seq, far.ack = far.seq + 1, far.ack + 1
    far.send("A")
    assert far.read("table") == ""
    (answer,) = far.send("S", seq=far.seq + 100)
    assert answer.flags == "SA"


def test_who_closed_first_waits(make):
    """RFC 9293, 3.10.7.4: a FIN that comes again is acknowledged, and TIME-WAIT begins again. RFC 6191: a SYN beyond the old connection
    ends it, and the numbers of the new one come after the old ones, however little time there was to count."""
    far = make("10", application="Truncate(0)").connect()
    (end,) = far.send("PA", b"bye")
    assert (end.flags, end.seq, end.ack) == ("FA", far.ack, far.seq + 3)
    far.seq, far.ack = far.seq + 3, far.ack + 1
    for _ in range(3):
        (answer,) = far.send("FA")
        assert answer.ack == far.seq + 1 and "TIME-WAIT" in far.read("table")
        assert far.wait(50) == []
    (old,) = far.send("S")
    assert (old.flags, old.seq) == ("A", far.ack)
    (new,) = far.send("S", seq=far.seq + 2)
    assert new.flags == "SA" and 0 <= (new.seq - far.ack) % 2**32 < 2**31
    far.send("R", seq=far.seq + 3)
    far.connect()
    (end,) = far.send("PA", b"bye")
    far.seq, far.ack = far.seq + 3, far.ack + 1
    far.send("FA")
    far.wait(61)
    assert far.read("table") == ""


def test_a_silent_connection_ends(make):
    far = make("10, TIMEOUT 60").connect()
    assert far.wait(59) == []
    far.send()
    assert far.wait(59) == []
    (last,) = far.wait(2)
    assert (last.flags, far.read("table")) == ("RA", "")


def test_whoever_does_not_answer_is_gone(make):
    """RFC 9293, 3.8.4: asked by a segment before what is expected, without data; after silence, not while data wait for an answer; one that
    is lost means nothing."""
    far = make("10, KEEPALIVE 60, KEEPALIVE_INTERVAL 10, KEEPALIVE_COUNT 3, TIMEOUT 0").connect()
    for answered in range(3):
        assert far.wait(59.5) == []
        probes = far.wait(1 + 10 * answered)
        assert [(a.flags, a.seq, a.ack, len(a.payload)) for a in probes] == [("A", far.ack - 1, far.seq, 0)] * (1 + answered)
        assert far.send() == []
    far.wait(50)
    assert {bytes(a.payload) for a in far.send("PA", b"data") + far.wait(70)} == {b"data"}
    far.seq, far.ack = far.seq + 4, far.ack + 4
    assert far.send() == far.wait(59) == []
    *asked, last = far.wait(32)
    assert ([a.flags for a in asked], last.flags) == (["A"] * 3, "RA")
    assert (far.read("table"), far.read("silent"), far.read("aborted")) == ("", "1", "1")


def test_a_keep_alive_probe_is_answered(make):
    """And shows that the far end is there, with the byte that old ones send or without (RFC 1122, 4.2.3.6)."""
    far = make("10, TIMEOUT 60").connect()
    for data in (b"", b"x"):
        assert far.wait(50) == []
        (answer,) = far.send("A", data, seq=far.seq - 1)
        assert (answer.flags, answer.seq, answer.ack) == ("A", far.ack, far.seq)
    assert [a.flags for a in far.wait(61)] == ["RA"]


def test_wrong_segments_are_no_segments(far):
    far.connect()
    before = far.read("table")
    for fields in ({"chksum": 1}, {"dataofs": 4}, {"dataofs": 15}, {"flags": 0}):
        assert far.send(**{"flags": "A", **fields}) == []
    assert far.dropped("lookup") == 4
    assert far.read("table") == before


def test_a_small_maximum_segment_size_is_not_obeyed(far):
    """Whoever asks for segments of one byte makes others work for little: they get 48, as Linux's least is."""
    far.connect(options=[("MSS", 1)])
    answers = far.send("A", bytes(480))
    assert [len(a.payload) for a in answers] == [48] * 10


def test_connections_are_kept_in_a_hot_swap(make):
    """With what extensions of both routers know, wherever they stand."""
    far = make("100, EXTENSIONS timestamps delayack")
    stamp = {"options": [("Timestamp", (100, 0))]}
    (answer,) = far.send("S", **stamp)
    far.seq, far.ack = far.seq + 1, answer.seq + 1
    far.send("A", **stamp)
    far.send("PA", b"before", window=2, **stamp)
    far.seq += 6
    after = make("50, EXTENSIONS slowstart fastrecovery timestamps", replaces=far.router)
    after.seq, after.ack, after.port = far.seq, far.ack, far.port
    far.router = after.router
    assert "ESTABLISHED 6" in after.read("table")
    sent = after.send("A", window=65535, **stamp) + after.wait(2)
    assert b"before" in b"".join(bytes(a.payload) for a in sent)
    assert {dict(a.options)["Timestamp"][1] for a in sent} == {100}


def test_acknowledgements_pass_each_other_while_both_sides_send_again(make):
    """What is sent again has an old number, an acknowledgement alone the newest (SND.NXT), since the far end has the data and ignores what
    an older one says; and the far end, which has filled the window and lost some, is at the window's end with its own."""
    far = make("100, EXTENSIONS slowstart, NODELAY true")
    far.connect()
    sent = [a for a in far.send("PA", bytes(3000)) if a.payload]
    end = max(a.seq + len(a.payload) for a in sent)
    assert len(sent) > 1
    assert [a.seq for a in far.wait(0.25) if a.payload] == [sent[0].seq]
    (answer,) = far.send("A", bytes(3000))
    assert (answer.flags, answer.seq, answer.ack, len(answer.payload)) == ("A", end, far.seq + 3000, 0)
    far.send("A", seq=answer.ack + answer.window, ack=end)
    assert int(far.read("sent")) == 1 + end - sent[0].seq, "with the SYN"
