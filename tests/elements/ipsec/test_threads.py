"""An association that two threads use."""

import os

import pytest
from scapy.layers.inet import IP
from scapy.layers.ipsec import ESP
from tests.elements.ipsec.test_radixipseclookup import CIPHER, DIGEST
from tests.elements.running import running
from tests.waiting import eventually

#: The sanitizer with which tests/runtime/test_memory.py runs these tests once more.
SANITIZE = os.environ.get("CLICKBPF_SANITIZE")
#: Packets of each thread; a sanitizer sees races that had no effect, and makes each packet cost ten times as much.
MANY = 20_000 if SANITIZE else 300_000
PACKET = bytes(IP(dst="18.26.4.24", proto=50) / ESP(spi=234, seq=1) / bytes(8))


@pytest.mark.executors("native")
def test_each_number_passes_once():
    """Both threads send the numbers from 0 in order through elements of their own, by one association. A number that comes first is higher
    than all before, so all but 0 pass once."""
    source = f"InfiniteSource(DATA \\<{PACKET.hex()}>, LIMIT {MANY}, BURST 32)"
    checks = " ".join(f"cpu[{i}] -> NumberPacket(0, NET_ORDER true) -> u{i} :: IPsecESPUnencap -> Discard;" for i in (0, 1))
    text = (
        f"rt :: RadixIPsecLookup(18.26.4.24/32 0, 10.8.0.0/24 18.26.4.1 1 234 {CIPHER} {DIGEST} 1 64);"
        f"a :: {source} -> MarkIPHeader -> GetIPAddress(16) -> rt; b :: {source} -> MarkIPHeader -> GetIPAddress(16) -> rt;"
        f"rt[0] -> StripIPHeader -> cpu :: CPUSwitch; rt[1] -> Discard; {checks} StaticThreadSched(b 1);"
    )
    with running(text, threads=2, sanitize=SANITIZE) as router:
        router.start()
        eventually(lambda: all(router.handlers.read(name, "count") == str(MANY) for name in "ab"))
        router.stop()
        drops = [router.drops(f"u{i}") for i in (0, 1)]
    assert sum(each.get("REPLAYED", 0) for each in drops) == MANY + 1


@pytest.mark.executors("native")
def test_each_number_is_sent_once():
    """Two elements take numbers from one association."""
    packet = bytes(IP(src="10.0.0.1", dst="10.8.0.1") / bytes(8)).hex()
    source = f"InfiniteSource(DATA \\<{packet}>, LIMIT {MANY}, BURST 32) -> MarkIPHeader -> GetIPAddress(16) -> rt"
    text = (
        f"rt :: RadixIPsecLookup(10.8.0.0/24 18.26.4.1 1 234 {CIPHER} {DIGEST} 1 64); rt[0] -> Discard; a :: {source}; b :: {source};"
        "rt[1] -> cpu :: CPUSwitch; cpu[0] -> IPsecESPEncap -> Discard; cpu[1] -> IPsecESPEncap -> Discard; StaticThreadSched(b 1);"
    )
    with running(text, threads=2, sanitize=SANITIZE) as router:
        router.start()
        eventually(lambda: all(router.handlers.read(name, "count") == str(MANY) for name in "ab"))
        router.stop()
        (association,) = router.instances["rt"].numbered()
    assert association.next == 2 * MANY + 1
