"""TCP's window for congestion, as RFC 9438 has it: what is under way at each round trip, against the RFC's formulas."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from tests.elements.swapped import runtime
from tests.elements.tcp.line import FarEnd, line, segments

MSS = 500
#: The window when a segment is lost, and what is left of it, in segments (RFC 9438, 4.6).
MOST, LEFT = 80, 56
#: 4.2: how many seconds the window takes to be MOST again.
K = ((MOST - LEFT) / 0.4) ** (1 / 3)


def rounds(rtt: float) -> Iterator[float]:
    """The window in segments after each round trip, from the one that repaired the first loss, at MOST segments."""
    source = "source :: TCPSource(tcp, 10.0.0.1, 10.0.0.2, 7, LENGTH 1000000000)"
    router = runtime(
        "tcp :: TCPConnections(1, EXTENSIONS slowstart fastrecovery cubic, BUFFER 131072);"
        f" FromDevice(in0) -> Strip(14) -> CheckIPHeader -> {line('', source)}"
        " -> Queue -> ToDevice(out0);"
    )

    def send(ack: int, flags: str = "A", **fields) -> None:
        tcp = TCP(sport=7, dport=port, seq=1000 + (flags == "A"), ack=ack % 2**32, flags=flags, window=65535, **fields)
        router.inject("in0", bytes(Ether() / IP(src="10.0.0.2", dst="10.0.0.1") / tcp))

    def under_way(acked: int) -> int:
        """Segments after those before `acked`."""
        ends = [segment.seq + len(segment.payload) for frame in router.collect("out0") for segment in [IP(frame)[TCP]]]
        return max(((end - acked + 2**31) % 2**32 - 2**31 for end in ends), default=0) // MSS

    def acknowledge(acked: int, segments: int, step: int = 1) -> int:
        router.advance(int(rtt * 10**9))
        for number in range(step, segments + step, step):
            send(acked + MSS * min(number, segments))
        return acked + MSS * segments

    router.advance(10**6)
    (syn,) = [IP(frame)[TCP] for frame in router.collect("out0")]
    port, acked = syn.sport, syn.seq + 1
    router.advance(int(rtt * 10**9))
    send(acked, "SA", options=[("MSS", MSS)])
    router.advance(2 * 10**6)
    while (window := under_way(acked)) < MOST:
        acked = acknowledge(acked, window)
    for _ in range(3):
        send(acked)
    window += 2  # the first two let one go each (RFC 3042)
    with closing(router):
        while True:
            acked = acknowledge(acked, window, 4)
            window = under_way(acked)
            yield window


@pytest.mark.parametrize("rtt, trips", [(0.5, 13), pytest.param(0.01, 60, marks=pytest.mark.whole)])
def test_it_is_the_cubic_function_or_what_reno_would_do(rtt, trips):
    """4.2 to 4.5: the function's value between now and the next round trip, slower towards MOST, faster beyond. 4.3: where round trips are
    short, 3 (1 - 0.7) / (1 + 0.7) of a segment for each, and one beyond MOST. But for a segment's rest."""
    reno = float(LEFT)
    for number, window in zip(range(trips), rounds(rtt), strict=False):
        now, later = (0.4 * (time * rtt - K) ** 3 + MOST for time in (number, number + 1))
        assert max(now, reno) - 1.5 <= window <= max(later, reno) + 1.5, number
        reno += 9 / 17 if reno < MOST else 1


def test_the_time_without_data_does_not_count():
    """5.8: after half a minute in which nothing was under way, too short for a slow start here, the window is what it was, and the function
    goes on where it was. It would be half as large again after a round trip otherwise (4.2)."""
    far = FarEnd(segments("10, RTO_MIN 100, EXTENSIONS slowstart fastrecovery cubic")).connect(options=[("MSS", MSS)])

    def give(count: int) -> int:
        """So many segments that the connection has to send; how many leave."""
        sent = [a for i in range(count) for a in far.send("A", bytes(MSS), seq=far.seq + MSS * i)]
        far.seq += MSS * count
        return sum(len(a.payload) for a in sent) // MSS

    def acknowledge(count: int, step: int = 1) -> int:
        far.ack += MSS * (count - count // step * step)
        sent = []
        for _ in range(count // step):
            far.ack += MSS * step
            sent += far.send()
        return sum(len(a.payload) for a in sent) // MSS

    with closing(far.router):
        window = give(60)
        lost = [far.send() for _ in range(3)]
        assert (window, [len(a) for a in lost]) == (10, [1, 1, 1])
        window = acknowledge(12, 12)
        assert window == 7
        while window:
            far.wait(0.2)
            window = acknowledge(window)
        far.wait(30)
        window = give(60)
        assert 7 <= window <= 11
        assert window <= acknowledge(window) <= window + 1
