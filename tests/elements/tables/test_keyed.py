"""Tables that packets fill: an attacker who knows the program, but not the router's key, can't make searches long.

The keys here all collide under the multiplicative hashes that a reader of the program could turn round. Steps are counted, not time:
of n keys at random in n places a chain has ten with a probability of some n / 10!, and with places half full a run of a
hundred has one of less than 10^-9.
"""

import ctypes
from pathlib import Path
from random import Random

import pytest

from clickbpf.compile import Compilation
from clickbpf.graph.check import check
from clickbpf.graph.elaborate import read_text
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library, own_elements

LIBRARY = [Path(__file__).parent / "elements", own_elements()]
SIP_2_4, SIP_1_3, ARP, TABLE, PARTIALS, INDEX, FLOWS, CHANGES = range(8)
#: 2^32 and 2^64 by the golden ratio (Knuth, 6.4), and the numbers that undo a multiplication by them.
GOLDEN_32, GOLDEN_64 = 2654435769, 0x9E3779B97F4A7C15
UNDO_32, UNDO_64 = pow(GOLDEN_32, -1, 1 << 32), pow(GOLDEN_64, -1, 1 << 64)


@pytest.fixture
def ask():
    """ask(operation, words) of a router's tables."""
    runtimes = []

    def ask(operation: int, words, **options) -> int:
        runtime = Runtime(Compilation(check(read_text("c :: Chains;"), Library(LIBRARY))), **options)
        runtimes.append(runtime)
        runtime.__enter__()
        request = (ctypes.c_uint64 * (len(words) + 1))(len(words), *words)
        assert runtime.call("c", operation, request) == 0
        return request[1]

    yield ask
    for runtime in runtimes:
        runtime.close()


def sip(key: bytes, message: bytes, each: int, last: int) -> int:
    """As the paper describes it (Aumasson, Bernstein 2012, 2.1 to 2.4)."""
    mask = (1 << 64) - 1
    k0, k1 = (int.from_bytes(key[i : i + 8], "little") for i in (0, 8))
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def rotate(x, n):
        return (x << n | x >> (64 - n)) & mask

    def rounds(n):
        for _ in range(n):
            v[0], v[2] = (v[0] + v[1]) & mask, (v[2] + v[3]) & mask
            v[1], v[3] = rotate(v[1], 13) ^ v[0], rotate(v[3], 16) ^ v[2]
            v[0] = rotate(v[0], 32)
            v[2], v[0] = (v[2] + v[1]) & mask, (v[0] + v[3]) & mask
            v[1], v[3] = rotate(v[1], 17) ^ v[2], rotate(v[3], 21) ^ v[0]
            v[2] = rotate(v[2], 32)

    padded = message + bytes(-(len(message) + 1) % 8) + bytes([len(message) & 255])
    for i in range(0, len(padded), 8):
        word = int.from_bytes(padded[i : i + 8], "little")
        v[3] ^= word
        rounds(each)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(last)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def test_siphash(ask):
    """The paper's vector (appendix A) for the function here, and that for the C; a word is a message of eight bytes."""
    key = bytes(range(16))
    assert sip(key, bytes(range(15)), 2, 4) == 0xA129CA6149BE45E5
    words = [int.from_bytes(bytes(range(i, i + 8)), "little") for i in (0, 8, 0)]
    assert ask(SIP_2_4, words) == sip(key, bytes(range(8)), 2, 4)
    assert ask(SIP_1_3, words) == sip(key, bytes(range(8)), 1, 3)


def test_addresses_of_one_arp_chain(ask):
    addresses = [UNDO_32 * i & 0xFFFFFFFF for i in range(1, 16001)]
    assert len({(a * GOLDEN_32 & 0xFFFFFFFF) >> 18 for a in addresses}) == 1
    assert ask(ARP, addresses) < 16


def test_keys_of_one_place_in_a_growing_table(ask):
    """AggregateIPAddrPair's pairs of addresses, AggregateIPFlows', aggregates that packets choose."""
    keys = [UNDO_64 * i & (1 << 64) - 1 for i in range(1, 10001)]
    assert len({(k * GOLDEN_64 & (1 << 64) - 1) >> 32 for k in keys}) == 1
    assert ask(TABLE, keys) < 200


def test_fragments_of_one_bucket(ask):
    """All have one identification in the last eight bits, or all of it, and different sources."""
    assert ask(PARTIALS, [source << 16 | 7 for source in range(1, 6001)]) < 16


def test_flows_of_one_bucket(ask):
    """Ports, or addresses, that differ only in the upper bits."""
    assert ask(INDEX, [number << 40 for number in range(1, 50001)]) == 0


def test_conversations_of_one_bucket(ask):
    """AggregateIPFlows: between pairs of addresses that an attacker chooses."""
    assert ask(FLOWS, [UNDO_64 * i & (1 << 64) - 1 for i in range(1, 10001)]) < 16


def test_keys_that_come_and_go_and_come_again(ask):
    """Of 256 keys first as many are in a table as it may have, later on some half: whatever moved when one went is still found."""
    random = Random(1)
    assert ask(CHANGES, [*range(256), *(random.randrange(256) for _ in range(2000))]) == 0


def test_two_routers_have_two_keys_and_simulated_ones_have_one(ask):
    """A key of zero, as of a state that nobody has filled yet, isn't one."""
    text = "s :: EtherSwitch; Idle -> s -> Discard; Idle -> [1] s [1] -> Discard;"
    keys = set()
    for options in ({}, {}, {"clock": 1}, {"clock": 1}):
        runtime = Runtime(Compilation(check(read_text(text), Library(LIBRARY))), **options)
        runtime.__enter__()
        keys.add(tuple(runtime.instances["s"].state.vars.key))
        runtime.close()
    assert len(keys) == 3
    assert (0, 0) not in keys
