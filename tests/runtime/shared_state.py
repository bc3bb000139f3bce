"""State that two threads use at once, while handlers change it and routers take each other's place. test_memory.py runs this under the
thread sanitizer; with CLICKBPF_STRESS=SECONDS it goes on for so long.
"""

import os
import time
from itertools import count

import pytest
from tests.waiting import eventually

from clickbpf.compile import Compilation, check_text
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.swap import take_over
from clickbpf.vocabulary.library import Library

SECONDS = float(os.environ.get("CLICKBPF_STRESS", "2"))
SWAPS = 4
#: An IPv6 packet to fe80::/64, without data.
IP6 = "6000000000003b40" + "fe80" + "00" * 13 + "01" + "fe80" + "00" * 14
#: Packets of one thread: UDP from one of 256 hosts to one of 64 peers; frames between 256 stations; IPv6 to 16 neighbours.
UDP = "UDPIPEncap(10.0.0.1, 1000, 10.0.0.2, 53) -> SetRandIPAddress(10.1.0.0/24) -> StoreIPAddress(src)-> SetRandIPAddress(10.2.0.0/26)"
SOURCES = f"""
i{{n}} :: InfiniteSource(LENGTH 8, BURST 4) -> {UDP} -> StoreIPAddress(dst) -> SetUDPChecksum -> t{{n}} :: Tee(12);
f{{n}} :: InfiniteSource(LENGTH 60, BURST 4) -> SetRandIPAddress(0.0.0.0/24) -> StoreIPAddress(8)
    -> SetRandIPAddress(0.0.0.0/24) -> StoreIPAddress(2) -> [{{n}}] switch;
n{{n}} :: InfiniteSource(DATA \\<{IP6}>, BURST 2) -> SetRandIPAddress(0.0.0.0/28) -> StoreIPAddress(36) -> MarkIP6Header
    -> GetIP6Address(24) -> [0] nd;
t{{n}}[0] -> [0] nat; t{{n}}[1] -> [0] arp; t{{n}}[2] -> radix; t{{n}}[3] -> direct; t{{n}}[4] -> limit; t{{n}}[5] -> meter;
t{{n}}[6] -> AggregateIP(ip src) -> aggregates; t{{n}}[7] -> flows; t{{n}}[8] -> rates; t{{n}}[9] -> balance; t{{n}}[10] -> q;
t{{n}}[11] -> p;
StaticThreadSched(i{{n}} {{n}}, f{{n}} {{n}}, n{{n}} {{n}});
"""
TEXT = (
    """
nat :: IPRewriter(pattern 192.0.2.1 1024-1151 - - 0 0, drop, MAPPING_CAPACITY 100); Idle -> [1] nat;
nat -> end :: Discard; w :: ICMPRewriter(nat); Idle -> w -> end;
arp :: ARPQuerier(10.2.0.200/24, 02:00:00:00:00:01, TIMEOUT 1, CAPACITY 64); arp[0] -> end;
arp[1] -> ARPResponder(10.2.0.0/26 02:00:00:00:00:02) -> [1] arp;
nd :: IP6NDSolicitor(fe80::1, 02:00:00:00:00:01); nd[0] -> end; nd[1] -> Strip(14) -> CheckIP6Header
    -> Unstrip(14) -> IP6NDAdvertiser(fe80::/64 02:00:00:00:00:02) -> [1] nd;
switch :: EtherSwitch; switch[0] -> end; switch[1] -> end;
radix :: RadixIPLookup(0/0 0, 10.2.0.0/27 1); radix[0] -> end; radix[1] -> end;
direct :: DirectIPLookup(0/0 0, 10.2.0.0/27 1); direct[0] -> end; direct[1] -> end;
limit :: HostRateLimiter(1000); limit -> end;
meter :: Meter(1000); meter[0] -> end; meter[1] -> end;
aggregates :: AggregateCounter -> end; flows :: AggregateIPFlows -> end;
rates :: IPRateMonitor(PACKETS, 1, 256, 600) -> end; balance :: FlowIPLoadBalancer(VIP 10.0.0.9, DST 10.3.0.1, DST 10.3.0.2) -> end;
q :: Queue(64) -> u :: Unqueue(BURST 8) -> end; p :: Pipeliner(64, BLOCKING true) -> end; StaticThreadSched(u 1, p 1);
"""
    + SOURCES.format(n=0)
    + SOURCES.format(n=1)
)
#: Written in turn, while packets pass.
WRITTEN = (
    ("nat.capacity", "50"),
    ("nat.capacity", "100"),
    ("nat.pattern0", "pattern 192.0.2.2 1024-1151 - - 0 0"),
    ("nat.clear", ""),
    ("arp.insert", "10.2.0.3 02:00:00:00:00:03"),
    ("arp.delete", "10.2.0.3"),
    ("arp.clear", ""),
    ("radix.set", "10.2.0.32/28 1"),
    ("radix.remove", "10.2.0.32/28 1"),
    ("direct.set", "10.2.0.32/28 1"),
    ("direct.remove", "10.2.0.32/28 1"),
    ("aggregates.freeze", "false"),
    ("aggregates.clear", ""),
    ("q.capacity", "32"),
    ("q.reset", ""),
    ("q.capacity", "64"),
    ("u.home_thread", "0"),
    ("u.home_thread", "1"),
)
#: Read after each.
READ = ("nat.udp_table", "arp.table", "radix.table", "switch.table", "q.length")


@pytest.fixture
def made():
    return [Compilation(check_text(text, Library.standard())) for text in (TEXT, TEXT.replace("meter[0] ->", "meter[0] -> Null ->"))]


def begin(made: Compilation, **more) -> Runtime:
    router = Runtime(made, threads=2, sanitize=os.environ.get("CLICKBPF_SANITIZE"), **more)
    router.initialise()
    return router


def change(router: Runtime, number: int) -> None:
    element, handler = WRITTEN[number % len(WRITTEN)][0].split(".")
    router.handlers.write(element, handler, WRITTEN[number % len(WRITTEN)][1])
    for name in READ:
        router.handlers.read(*name.split("."))


@pytest.mark.timeout(900 + SECONDS)
def test_state_under_two_threads(made):
    now = begin(made[0])
    try:
        now.start()
        for swap in range(SWAPS):
            end = time.monotonic() + SECONDS / SWAPS
            for number in count():
                change(now, number)
                if time.monotonic() > end and number > len(WRITTEN):
                    break
            old, now = now, begin(made[(swap + 1) % 2], replaces=now)
            take_over(now, old, {})
            old.close()
            now.start()
        before = int(now.handlers.read("u", "count"))
        assert eventually(lambda: int(now.handlers.read("u", "count")) > before)
        now.stop()
    finally:
        now.close()
