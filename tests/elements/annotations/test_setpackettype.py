"""SetPacketType: the numbers of linux/if_packet.h."""

import pytest

from clickbpf.testing.cases import Case


@pytest.mark.parametrize("name, number", [("HOST", 0), ("otherhost", 3), ("Loopback", 5)])
def test_the_type_is_set(element, name, number):
    x = element(f"SetPacketType({name})", before="SetPacketType(MULTICAST)")
    x.send(bytes(64))
    assert x.expect(0, bytes(64)).carried.type == number


CASES = [Case("SetPacketType(OUTGOING)")]
MISTAKES = {"SetPacketType(NOBODY)": ["SetPacketType: unrecognized packet type 'NOBODY'"]}
