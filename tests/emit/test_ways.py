"""Kernel paths that count which ways packets take, and those that are made for packets: both do the same as any other."""

from __future__ import annotations

from pathlib import Path

import pytest
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.l2 import Ether
from tests.axes import axis
from tests.elements.classification.test_firewall import BASTION, DNS, DOMAIN, FIREWALL, MIX

from clickbpf.compile import check_file
from clickbpf.plan.profile import Profile
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.executors import start
from clickbpf.testing.profiles import random_profile
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root", "clang-19")

CONFIGS = Path(__file__).parents[2] / "configs"
ROUTER = """
    FromDevice(eth0) -> kind :: Classifier(12/0800, 12/0806, -);
    kind[0] -> Strip(14) -> CheckIPHeader -> rules :: IPClassifier(udp && dst port 53, tcp, udp && dst port 53, src net 10.0.0.0/8);
    kind[1] -> other :: IPFilter(deny all);
    rules[0], rules[1], rules[2], rules[3], other, kind[2] => Discard, Discard, Discard, Discard, Discard, Discard;
"""


def some_profile(file: Path, seed: int) -> Profile:
    return random_profile(check_file(file, Library.standard()), seed)


def frame(**options) -> bytes:
    ports = {name: options.pop(name) for name in ("sport", "dport") if name in options}
    layer = options.pop("layer", UDP)
    return bytes(Ether(src="02:00:00:00:00:77", dst="02:00:00:00:00:01", type=0x0800) / IP(**options) / layer(**ports) / bytes(20))


@pytest.mark.parametrize("hook", axis("bpf", "tc"))
def test_each_packet_is_counted_for_the_rule_that_takes_it(hook):
    dns, web, inside = frame(src="10.1.1.1", dport=53), frame(src="10.1.1.1", layer=TCP, dport=80), frame(src="10.1.1.1", dport=54)
    sent = [dns] * 3 + [web] * 2 + [inside] + [frame(src="1.2.3.4", dport=54)] * 4
    with start(ROUTER, hook, counting=True) as router:
        for packet in [*sent, bytes(60), b"\0" * 12 + b"\x08\x06" + bytes(46)]:
            router.send("eth0", packet)
        slots, ways = router.kernel.slots, router.compilation.plan.profiled.counted
        words = router.kernel.memory("ways")[0].cast("B").cast("Q")[:: 64 // 8].tolist()
    counts = Profile.counted(ways, (sum(words[n * slots : (n + 1) * slots]) for n in range(len(ways)))).elements
    assert counts == {
        "kind": {"12/0800": 10, "12/0806": 1, "-": 1, "no rule": 0},
        "rules": {"udp && dst port 53": 3, "tcp": 2, "src net 10.0.0.0/8": 1, "no rule": 4},
        "other": {"deny all": 1, "no rule": 0},
    }


@pytest.mark.parametrize("hook", axis("bpf", "tc"))
def test_a_router_that_counts_does_the_same(hook):
    assert_equivalent(FIREWALL, 2000, mix=MIX, executors=("native", hook), counting=True)


@pytest.mark.parametrize("seed", range(3))
def test_a_firewall_does_the_same_whatever_its_profile(seed):
    assert_equivalent(FIREWALL, 2000, mix=MIX, seed=seed, profile=some_profile(FIREWALL, seed))


@pytest.mark.whole
@pytest.mark.parametrize("name", ["iprouter", "homegateway"])
def test_other_routers_do_the_same_whatever_their_profile(name):
    file = CONFIGS / f"{name}.click"
    assert_equivalent(file, 1000, profile=some_profile(file, 1))


def test_a_packet_of_the_most_frequent_rule_meets_fewer_instructions():
    """By far: questions of a server's clients, which the rule before the last of seventeen lets in."""
    from tests.bench.executed import executed

    asked = "allow src bastion && dst internal_dns && tcp && src port > 1023 && dst port domain"
    packet = frame(src=BASTION, dst=DNS, layer=TCP, sport=4000, dport=DOMAIN)
    took = []
    for profile in (None, Profile({"filter": {asked: 90, "deny all": 10}})):
        with start(FIREWALL, "bpf", profile=profile) as router:
            took.append(executed(router.kernel.programs["xdp_eth0"], packet))
    assert took[1] < 0.9 * took[0]
