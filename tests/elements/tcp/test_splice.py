"""TCPSplice: two connections, each of which sends what the other one receives."""

import pytest
from tests.elements.tcp.line import FarEnd, segments

SPLICE = "TCPSplice(tcp, 7, 10.0.0.1, 10.0.0.2, 9)"


class Pair:
    """A client of port 7 and the server, at port 9 of the same address. What the router sends is kept by the port that it is for."""

    def __init__(self, **options: str):
        self.client = FarEnd(segments("10", application=SPLICE, **options))
        self.client.hears_all = True
        self.server = FarEnd(self.client.router, port=9)
        self.server.hears_all = True

    def connect(self) -> "Pair":
        """The server is asked before the client has said anything."""
        (answer,) = self.client.send("S")
        self.client.seq, self.client.ack = self.client.seq + 1, answer.seq + 1
        (syn,) = self.client.send()
        assert (syn.flags, syn.dport) == ("S", 9)
        self.near, self.server.ack = syn.sport, syn.seq + 1
        return self

    def answer(self, flags: str = "SA") -> list:
        sent = self.server.send(flags, dport=self.near)
        self.server.seq += 1
        return sent


@pytest.fixture
def pair():
    made = Pair()
    yield made
    made.client.router.close()


def test_what_one_says_the_other_hears(pair):
    """The server speaks first; the client closes, and hears the rest of what the server has to say."""
    client, server = pair.connect().client, pair.server
    pair.answer()
    hello, _ = sorted(server.send("PA", b"hello", dport=pair.near), key=lambda a: len(a.payload), reverse=True)
    assert (hello.dport, bytes(hello.payload)) == (client.port, b"hello")
    server.seq, client.ack = server.seq + 5, client.ack + 5
    question = [a for a in client.send("FPA", b"what?") if a.dport == 9]
    assert b"".join(bytes(a.payload) for a in question) == b"what?" and "F" in question[-1].flags
    client.seq, server.ack = client.seq + 6, server.ack + 6
    client.router.advance(100 * 10**9)
    client.collect()
    answers = [a for a in server.send("FPA", b"that", dport=pair.near) if a.dport == client.port]
    assert b"".join(bytes(a.payload) for a in answers) == b"that" and "F" in answers[-1].flags
    client.ack += 5
    client.send()
    assert [row.split()[4:6] for row in client.read("table").splitlines()] == [["9", "TIME-WAIT"]]
    assert (client.read("ended"), client.read("aborted")) == ("1", "0")


def test_the_slower_side_holds_back_the_faster(pair):
    """All that the client may send before the server has answered is kept, and not a byte more is asked for."""
    client, server = pair.connect().client, pair.server
    sent, answers, right = 0, [], client.seq + 65535
    while client.seq + sent < right:
        length = min(1400, right - client.seq - sent)
        answers = client.send("A", bytes([sent % 251]) * length, seq=client.seq + sent) or answers
        sent += length
        right = max([right, *(a.ack + a.window for a in answers if a.dport == client.port)])
    assert sent == 65535 and answers[-1].window == 0 and client.read("aborted") == "0"
    took, opened, todo = b"", 0, pair.answer()
    while len(took) < sent:
        todo += client.wait(0.1)
        data = [a for a in todo if a.dport == 9 and a.seq == server.ack and a.payload]
        opened = max([opened, *(a.window for a in todo if a.dport == client.port)])
        if data:
            took, server.ack = took + bytes(data[0].payload), server.ack + len(data[0].payload)
            todo = todo[todo.index(data[0]) + 1 :] + server.send(dport=pair.near)
    assert took == b"".join(bytes([at % 251]) * min(1400, sent - at) for at in range(0, sent, 1400)) and opened > 30000


@pytest.mark.parametrize("end", ["R", "RA"])
def test_one_that_ends_otherwise_ends_the_other(pair, end):
    """Also a server that refuses."""
    client = pair.connect().client
    if end == "R":
        pair.answer()
    (reset,) = pair.server.send(end, dport=pair.near)
    assert (reset.dport, "R" in reset.flags, client.read("table")) == (client.port, True, "")


def test_a_close_before_the_server_answers(pair):
    client = pair.connect().client
    client.send("FPA", b"all")
    sent = [a for a in pair.answer() if a.dport == 9]
    assert b"".join(bytes(a.payload) for a in sent) == b"all" and "F" in sent[-1].flags


def test_the_first_that_takes_it_has_the_connection():
    """Also if there is no room for the second connection, so that it ends the first one at once."""
    for capacity, sent in (("10", [("S", 9)]), ("1", [("RA", 5000)])):
        router = segments(capacity, application=SPLICE, after=f"Idle -> {SPLICE} -> Discard;")
        client = FarEnd(router)
        client.hears_all = True
        (answer,) = client.send("S")
        assert [(a.flags, a.dport) for a in client.send(seq=client.seq + 1, ack=answer.seq + 1)] == sent
        router.close()


def test_the_server_hears_nothing_of_a_flood():
    """With SYNCookies this is a SYN proxy."""
    pair = Pair(listens=", 7, COOKIES cookies", before="cookies :: SYNCookies(7) ->", after="cookies[1] -> EtherMirror -> out;")
    for port in range(6000, 6020):
        assert [a.flags for a in pair.client.send("S", sport=port)] == ["SA"]
    pair.connect()
    assert len(pair.client.read("table").splitlines()) == 2
    pair.client.router.close()


def test_pairs_are_kept_in_a_hot_swap(pair):
    """But for those of which only one has room."""
    client = pair.connect().client
    pair.answer()
    for capacity in (20, 1):
        client.router = pair.server.router = segments(str(capacity), application=SPLICE, replaces=client.router)
        seen = client.collect() + client.send("PA", b"more")
        if capacity == 20:
            assert [bytes(a.payload) for a in seen if a.dport == 9 and a.payload] == [b"more"]
            client.seq, pair.server.ack = client.seq + 4, pair.server.ack + 4
            pair.server.send(dport=pair.near)
    assert ({a.dport for a in seen if "R" in a.flags}, client.read("table")) == ({client.port}, "")
