"""The same conversations with TCP's elements and with Linux: what is answered, as RFC 9293 leaves it to nobody's taste."""

import itertools
import random
import re
import time
from collections.abc import Callable, Iterator

import pytest
from scapy.layers.inet import TCP
from tests.elements.tcp.line import FarEnd, segments
from tests.elements.tcp.linux import LinuxEnd

from clickbpf.testing.netns import Network

#: A segment of a conversation: flags, a sequence number from our own first, data, an acknowledgement from the other's first, a window,
#: a timestamp; with one a SYN offers selective acknowledgements, too.
STEP = re.compile(r"([SFRPAU]+) (-?\d+)(?:\+(\d+))?(?: ack (-?\d+))?(?: win (\d+))?(?: ts (\d+))?$")
OFFER = [("MSS", 1460), ("SAckOK", b"")]
#: So long Linux sends nothing by itself.
SOON = 0.4
#: Flags, numbers from the first ones, bytes of data, if there is a window; the timestamp that it answers, its first range and their number.
Answer = tuple[str, int, int, int, bool, int, tuple[int, ...]]
ports = itertools.count(10000)
#: The port to which both open connections, which they close as soon as they are there.
OPENS = 4000


def parsed(step: str) -> tuple[str, int, int, int, int, list]:
    flags, seq, length, ack, window, stamp = STEP.match(step.strip()).groups()
    options = OFFER * ("S" in flags) + [("Timestamp", (int(stamp), 0))] if stamp else []
    return flags, int(seq), int(length or 0), int(ack or 0), 65535 if window is None else int(window), options


class Talk:
    """A conversation: numbers begin with each side's first. `send` sends a segment; `first` is the other side's, if it is known."""

    def __init__(self, send: Callable[[TCP], list[TCP]], own: int, to: int, first: int | None = None):
        self.send, self.own, self.to, self.first, self.begin = send, own, to, first, 3_000_000_000

    def say(self, step: str) -> list[Answer]:
        flags, seq, length, ack, window, options = parsed(step)
        tcp = TCP(sport=self.own, dport=self.to, flags=flags, seq=(self.begin + seq) % 2**32, window=window, options=options)
        tcp.ack = ((self.first or 0) + ack) % 2**32 if "A" in flags else 0
        data = bytes((seq + i) % 251 for i in range(length))
        # After a reset in SYN-SENT Linux soon repeats its SYN.
        return self.told(a for a in self.send(tcp / data) if a.dport == self.own and a.sport == self.to and a.flags != "S")

    def told(self, answers: Iterator[TCP]) -> list[Answer]:
        """Without acknowledgements that another answer has, too: Linux and its applications answer one by one."""
        found: list[Answer] = []
        for a in answers:
            if "S" in a.flags:
                self.first = a.seq
            flags = "".join(sorted(set(str(a.flags)) - {"P"}))
            seq, ack = _from(a.seq, self.first), _from(a.ack, self.begin) if "A" in flags else 0
            more = self.options(a)
            if found and found[-1][0] == "A" and not found[-1][3] and "A" in flags and "R" not in flags:
                found.pop()
            if found and found[-1][0] == "A" and flags in ("A", "AF") and found[-1][1] + found[-1][3] == seq:
                found[-1] = (flags, found[-1][1], ack, found[-1][3] + len(a.payload), a.window > 0, *more)
            else:
                found.append((flags, seq, ack, len(a.payload), a.window > 0 or "R" in flags, *more))
        return found

    def options(self, answer: TCP) -> tuple[int, tuple[int, ...]]:
        """The timestamp that it answers; its first range, and how many edges it has. RFC 2018 only recommends an order of the others."""
        said = dict(answer.options)
        edges = [_from(edge, self.begin) for edge in said.get("SAck", ())]
        return said.get("Timestamp", (0, 0))[1], (*edges[:2], len(edges))


def _from(number: int, first: int | None) -> int:
    return (number - (first or 0) + 2**31) % 2**32 - 2**31


@pytest.fixture(scope="module")
def ours() -> Iterator[FarEnd]:
    application = "port :: IPClassifier(dst tcp port 7, dst tcp port 9, -) -> TCPEcho(tcp)"
    opens = f"TCPSource(tcp, 10.0.0.1, 10.0.0.2, {OPENS}, RATE 10, CONNECTIONS 60) -> output;"
    more = f"port[1] -> TCPDiscard(tcp); port[2] -> Discard; {opens}"
    router = segments("1000, RTO_MIN 60, EXTENSIONS timestamps sack", ", 7, 9, 13", application=application, after=more)
    far = FarEnd(router)
    far.hears_all = True
    yield far
    router.close()


@pytest.fixture(scope="module")
def linux() -> Iterator[LinuxEnd]:
    with Network() as network:
        made = LinuxEnd(network.namespace("linux"))
        yield made
        made.close()


def to_ours(far: FarEnd, segment: TCP) -> list[TCP]:
    fields = {name: getattr(segment, name) for name in ("sport", "dport", "seq", "ack", "window", "options")}
    return far.send(str(segment.flags), bytes(segment.payload), **fields)


def by_linux(linux: LinuxEnd, to: int, steps: Callable[[Talk], list[list[Answer]]]) -> list[list[Answer]]:
    """A conversation that took no longer than what Linux does by itself."""
    while True:
        begin = time.monotonic()
        answers = steps(Talk(linux.send, next(ports), to))
        if time.monotonic() < begin + SOON:
            return answers
        linux.collect()


CONVERSATIONS = {
    "SYNs to nobody": (8, "S 0, SA 0 ack 5, A 5 ack 7, F 3+4, R 1, RA 1 ack 1, SF 7+3, FPU 0"),
    "no SYNs to a server": (13, "A 5 ack 7, F 3+4, R 1, RA 1 ack 1, FPU 0, SA 0 ack 5, P 1+5"),
    "a SYN twice": (13, "S 0, S 0, A 1 ack 1, A 1+5 ack 1"),
    "a SYN with a FIN": (13, "SF 0, SF 0+5, S 0, A 1 ack 1, A 1+5 ack 1"),
    "a wrong acknowledgement of a SYN": (13, "S 0, A 1 ack 0, A 1 ack 2, A 1 ack 99999, A 1 ack 1"),
    "a reset of a SYN": (13, "S 0, R 1, A 1 ack 1"),
    "data beside a SYN": (13, "S 0+5, S 0+5, A 1 ack 1, A 1+5 ack 1"),
    "data with the handshake's end": (7, "S 0, A 1+5 ack 1, A 6+5 ack 6, FA 11 ack 11, A 12 ack 12"),
    "old and new data": (7, "S 0, A 1 ack 1, A 1+10 ack 1, A 1+10 ack 11, A 5+10 ack 11, A 1+14 ack 11, A 11+5 ack 15"),
    "gaps": (13, "S 0, A 1 ack 1, A 11+10 ack 1, A 31+10 ack 1, A 21+10 ack 1, A 1+12 ack 1"),
    "beyond the window": (13, "S 0, A 1 ack 1, A 70000+10 ack 1, A 1+10 ack 1"),
    "the other side closes first": (9, "S 0, A 1 ack 1, FA 1+3 ack 1, FA 1+3 ack 1, A 5 ack 2, A 5 ack 2"),
    "a FIN beyond a gap": (13, "S 0, A 1 ack 1, FA 5+3 ack 1, A 1+4 ack 1, A 9 ack 1, A 9+3 ack 1, FA 9 ack 1"),
    "true and false resets": (13, "S 0, A 1 ack 1, R 2, R 0, R 70000, R 1, A 1 ack 1"),
    "a reset with data before": (13, "S 0, A 1 ack 1, A 1+20 ack 1, R 11+20, A 21+5 ack 1, R 21+5, A 21 ack 1"),
    "a SYN amidst": (13, "S 0, A 1 ack 1, S 1, A 1+4 ack 1"),
    "an old SYN amidst": (13, "S 0, A 1 ack 1, S 0+9, A 1+4 ack 1"),
    "a new SYN amidst": (13, "S 0, A 1 ack 1, S 900000, R 1"),
    "acknowledgements of what was not sent": (13, "S 0, A 1 ack 1, A 1+5 ack 2, A 1+5 ack 1"),
    "acknowledgements of long ago": (13, "S 0, A 1 ack 1, A 1+5 ack -99999, A 1+5 ack 1"),
    "no acknowledgement": (13, "S 0, A 1 ack 1, P 1+5, F 1, A 1+5 ack 1"),
    "a question before": (13, "S 0, A 1 ack 1, A 1+5 ack 1, A 5 ack 1, A 5 ack 1"),
    "a closed window": (7, "S 0, A 1 ack 1, A 1+5 ack 1 win 0, A 6+5 ack 1 win 0, A 11 ack 1 win 1000, A 11 ack 11"),
    "half closed": (7, "S 0, A 1 ack 1, FA 1+5 ack 1, A 7 ack 6, A 7 ack 7"),
    "gaps, and what came twice": (
        13,
        "S 0 ts 9, A 1 ack 1 ts 9, A 11+10 ack 1 ts 9, A 31+10 ack 1 ts 9, A 51+10 ack 1 ts 9,"
        "A 71+10 ack 1 ts 9, A 31+10 ack 1 ts 9, A 33+4 ack 1 ts 9, A 1+5 ack 1 ts 9, A 1+10 ack 1 ts 9, A 21+10 ack 1 ts 9,"
        "A 35+20 ack 1 ts 9, A 30+40 ack 1 ts 9, A 71+30 ack 1 ts 9",
    ),
    "timestamps": (
        13,
        "S 0 ts 100, A 1 ack 1 ts 150, A 1+5 ack 1 ts 200, A 6+5 ack 1 ts 150, A 6+5 ack 1 ts 200, A 21+5 ack 1 ts 300,"
        "A 11+10 ack 1 ts 250, A 26+5 ack 1 ts 400, A 1+5 ack 1 ts 500, R 31 ts 100",
    ),
    "timestamps of what is not believed": (
        13,
        "S 0 ts 100, A 1 ack 1 ts 100, A 1+5 ack 9 ts 900, A 70000+5 ack 1 ts 900, A 1+5 ack 1 ts 200",
    ),
    "after the end": (9, "S 0, A 1 ack 1, FA 1 ack 1, A 2 ack 2, A 2+5 ack 2"),
}


HANDSHAKE = "S 0", "A 1 ack 1"


class Chance:
    """Steps of a conversation by chance: most are what a peer would say, some a little beside it. It is led by what Linux answers."""

    def __init__(self, seed: int):
        self.random, self.said = random.Random(seed), []
        self.expected, self.sent, self.highest, self.over = 0, 0, 0, False

    def step(self, talk: Talk) -> list[Answer]:
        choose = self.random.choice
        flags = choose(["A"] * 8 + ["FA", "R", "S", "SA", "RA"]) if not self.over else "A"
        off = choose([0] * 8 + [-1, -5] + [-70000, 1, 5, 70000] * ("F" not in flags and not self.over))
        ack = self.sent + (choose([0] * 8 + [-1, 1, 90000]) if not off else 0)
        length = choose([0, 0, 5, 12]) if flags in ("A", "FA") and not self.over else 0
        length = max(length, self.highest - self.expected - off) if "F" in flags else length
        self.highest = max(self.highest, self.expected + off + length) if off < 70000 else self.highest
        data = f"+{length}" * bool(length)
        text = HANDSHAKE[len(self.said)] if len(self.said) < 2 else f"{flags} {self.expected + off}{data} ack {ack}"
        answers = talk.say(text)
        self.over |= "F" in flags or ("R" in flags and off == 0)
        self.said.append(text)
        for _, first, acknowledged, length, *_ in (a for a in answers if "R" not in a[0]):
            self.expected, self.sent = max(self.expected, acknowledged), max(self.sent, first + length)
        self.sent = max([self.sent, *(a[1] + a[3] + ("S" in a[0]) + ("F" in a[0]) for a in answers if "R" not in a[0])])
        return answers


@pytest.mark.parametrize("to", [7, 9, 13])
@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 200), marks=pytest.mark.whole)], ids=["some", "many"])
def test_whatever_is_said(ours, linux, to, seeds):
    for seed in seeds:
        said, theirs = by_chance(linux, to, seed)
        again = Talk(lambda s: to_ours(ours, s), next(ports), to)
        assert list(zip(said, map(again.say, said))) == list(zip(said, theirs)), seed


def by_chance(linux: LinuxEnd, to: int, seed: int) -> tuple[list[str], list[list[Answer]]]:
    """What is said to Linux, and its answers."""
    chances: list[Chance] = []

    def talk(talk: Talk) -> list[list[Answer]]:
        chances.append(Chance(seed))
        return [chances[-1].step(talk) for _ in range(8)]

    theirs = by_linux(linux, to, talk)
    return chances[-1].said, theirs


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_as_linux(ours, linux, name):
    to, steps = CONVERSATIONS[name]

    def talk(talk: Talk) -> list[list[Answer]]:
        return [talk.say(step) for step in steps.split(",")]

    theirs = by_linux(linux, to, talk)
    assert list(zip(steps.split(","), talk(Talk(lambda s: to_ours(ours, s), next(ports), to)))) == list(zip(steps.split(","), theirs))


#: The other side has sent a SYN.
OPENED = {
    "a handshake": "SA 0 ack 1, A 1 ack 2, A 1+5 ack 2, FA 6 ack 2, FA 6 ack 2, R 7, A 7 ack 2",
    "a wrong acknowledgement": "SA 0 ack 0, SA 0 ack 2, A 5 ack 3, A 5 ack 1, RA 0 ack 0, R 0, FA 0 ack 1, P 0, SA 0 ack 1",
    "refused": "RA 0 ack 1, SA 0 ack 1",
    "an old connection of the other side": "A 700 ack 99, R 99",
    "both open": "S 0, SA 0 ack 1, A 1 ack 2, FA 1 ack 2",
    "both close": "SA 0 ack 1, FA 1 ack 1, FA 1 ack 1, A 2 ack 2, FA 1 ack 2, A 2 ack 1",
    "both close, and all is heard": "SA 0 ack 1, FA 1 ack 2, FA 1 ack 2, S 99999",
    "data beside our end": "SA 0 ack 1, A 6+5 ack 1, A 1+5 ack 2, FA 11+3 ack 2",
    "a reset": "SA 0 ack 1, R 0, R 2, R 1, A 1 ack 2",
}


def waits(far: FarEnd, segment: TCP) -> list[TCP]:
    return to_ours(far, segment) + far.wait(0.002)


@pytest.mark.parametrize("name", OPENED)
def test_opened_as_linux(ours, linux, name):
    steps = OPENED[name].split(",")

    def talk(send: Callable[[TCP], list[TCP]], syn: TCP) -> list[list[Answer]]:
        talk = Talk(send, OPENS, syn.sport, syn.seq)
        return [talk.say(step) for step in steps]

    def to_linux(_: Talk) -> list[list[Answer]]:
        port = linux.connect(OPENS)
        return talk(linux.send, next(a for a in linux.collect() if a.sport == port))

    theirs = by_linux(linux, 0, to_linux)
    before = ours.read("table")
    syn = next(a for a in ours.wait(0.1) if a.dport == OPENS and f" {a.sport} " not in before)
    assert list(zip(steps, talk(lambda s: waits(ours, s), syn))) == list(zip(steps, theirs))
