"""The promise of classes that keep IP headers (KEEPS_HEADER), for every one of the library: what is known of a header on the
kernel path holds after them; and what others have written is looked at again."""

import pytest

from clickbpf.testing.equivalence import arrivals, assert_equivalent
from clickbpf.testing.examples import examples
from clickbpf.testing.executors import start
from clickbpf.testing.packets import IPV6, Mix
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.traits import KEEPS_HEADER

LIBRARY = Library.standard()
KEEPING = [name for name in LIBRARY.names() if KEEPS_HEADER in LIBRARY.find(name).traits]
assert KEEPING
#: By family: what marks a header, the packets, where its protocol is, and addresses that elements know to be common.
FAMILIES = {4: ("CheckIPHeader", Mix(), 9, ()), 6: ("CheckIP6Header", IPV6, 6, (8, 24))}
#: The first bytes of common addresses: not those of groups, of a link's addresses, and of ::/8.
COMMON = range(1, 0xFE)


def between(name: str, check: str) -> str:
    """Sends what the class has made of a packet whose header is good, from that header on."""
    used = examples(LIBRARY.find(name), LIBRARY)[0]
    ends = " ".join(f"x[{port}] -> StripToNetworkHeader -> Queue -> ToDevice({name}_{port});" for port in range(used.noutputs))
    return f"its_{name} :: {{ FromDevice({name}) -> Strip(14) -> {check} -> x :: {used.element}; {ends} }};\n"


@pytest.mark.whole
def test_versions_lengths_protocols_and_common_addresses_stay() -> None:
    """In a router of each family, with all classes beside each other."""
    through = set()
    for version, (check, mix, protocol, addresses) in FAMILIES.items():
        with start("".join(between(name, check) for name in KEEPING), "native") as router:
            for _, packet, _ in arrivals(200, KEEPING, ("native",), 1, mix):
                header = packet[14:]
                for name, output in ((each, output) for each in KEEPING for output in router.send(each, packet)):
                    through.add(name)
                    assert len(output.data) >= (40 if version == 6 else 20), name
                    assert (output.data[0], output.data[protocol]) == (header[0], header[protocol]), name
                    assert all(output.data[at] in COMMON for at in addresses if header[at] in COMMON), name
    assert through == {*KEEPING}, "nothing comes through the others"


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("change", ["StoreData(14, \\<45>)", "StoreData(20, \\<00>)", "Truncate(20)", "MarkIP6Header(20)"])
def test_what_may_have_changed_is_looked_at_again(change: str) -> None:
    """Another version, an extension header, a shorter packet, and another header."""
    check = "FromDevice(in) -> CheckIP6Header(OFFSET 14)"
    ends = " ".join(f"c[{port}] -> Queue -> ToDevice(x{port});" for port in range(4))
    patterns = "ip6 && udp, ip6 && tcp, icmp6 type 128, -"
    assert_equivalent(f"{check} -> {change} -> c :: IPClassifier({patterns}); {ends}", 300, mix=IPV6)


@pytest.mark.needs("root", "clang-19")
def test_options_that_may_have_been_made_are_looked_for() -> None:
    made = "StoreData(0, \\<46>) -> IPGWOptions(10.0.0.1)"
    assert_equivalent(f"FromDevice(in) -> Strip(14) -> CheckIPHeader -> {made} -> Queue -> ToDevice(out);", 300)
