"""SetRandIPAddress: addresses of a prefix, as different as they are asked to be."""

import pytest


def addresses(x, count: int) -> list[int]:
    found = []
    for _ in range(count):
        x.send(bytes(60))
        found.append(int.from_bytes(x.expect(0, bytes(60)).carried.annotations[:4], "big"))
    return found


@pytest.mark.parametrize("limit", ["", ", 0", ", -1"])
def test_all_of_the_prefix(element, limit):
    """200 draws of 2^16 addresses: 20 pairs or more of the same are expected in one of 10^30 runs."""
    found = addresses(element(f"SetRandIPAddress(10.1.0.0/16{limit})"), 200)
    assert {address >> 16 for address in found} == {0x0A01}
    assert len(set(found)) > 180
    assert {address & 1 for address in found} == {address >> 15 & 1 for address in found} == {0, 1}


def test_a_limit(element):
    """One of three addresses misses from 200 draws in one of 10^35 runs; that two of three are the same, one of 10^6."""
    found = set(addresses(element("SetRandIPAddress(10.0.0.0/8, 3)"), 200))
    assert len(found) == 3 and {address >> 24 for address in found} == {10}


def test_an_address_alone(element):
    assert set(addresses(element("SetRandIPAddress(10.9.8.7)"), 5)) == {0x0A090807}
