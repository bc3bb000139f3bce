"""RandomBitErrors: every bit on its own, with a probability."""

import pytest
from tests.elements.bounds import likely

from clickbpf.testing.cases import Case

LENGTH, PACKETS = 101, 400
BITS = 8 * LENGTH * PACKETS
ZEROS, ONES = bytes(LENGTH), b"\xff" * LENGTH


def received(x, frame: bytes) -> int:
    """All packets' bits as one number, of PACKETS that went in."""
    for _ in range(PACKETS):
        x.send(frame)
    return int.from_bytes(b"".join(x.expect(0).data for _ in range(PACKETS)), "big")


@pytest.mark.parametrize("probability", [0.25, 0.001])
def test_bits_flip_with_the_probability_each_on_its_own(element, probability):
    x = element(f"RandomBitErrors({probability})")
    x.router.executor.runtime.seed(1)
    flipped = received(x, ZEROS)
    assert likely(flipped.bit_count(), BITS, probability)
    for distance in (1, 8, 32):
        assert likely((flipped & flipped >> distance).bit_count(), BITS - distance, probability**2)
    for place in range(8):
        one_of_each_byte = int.from_bytes(bytes([1 << place]) * (BITS // 8), "big")
        assert likely((flipped & one_of_each_byte).bit_count(), BITS // 8, probability)


@pytest.mark.executors("native")
def test_kinds_of_errors(element):
    x = element("RandomBitErrors(0.5, set)")
    assert received(x, ONES) == (1 << BITS) - 1
    assert likely(received(x, ZEROS).bit_count(), BITS, 0.5)
    x.write("error_kind", "clear")
    assert x.read("error_kind") == "clear"
    assert received(x, ZEROS) == 0
    assert likely(received(x, ONES).bit_count(), BITS, 0.5)
    x.write("p_bit_error", 1)
    x.write("error_kind", "flip")
    assert received(x, ZEROS) == (1 << BITS) - 1
    x.write("p_bit_error", "0.001")
    assert x.read("p_bit_error") == "0.001"
    x.write("active", "false")
    assert received(x, ZEROS) == 0


def test_no_probability_is_doubtful(element, capfd):
    element("RandomBitErrors(0)")
    assert "zero bit error probability (underflow?)" in capfd.readouterr().err


def test_mistakes(element, refused):
    assert refused("RandomBitErrors(2)") == "RandomBitErrors: drop probability must be between 0 and 1"
    assert refused("RandomBitErrors(.1, foo)") == "RandomBitErrors: bad action 'foo' (must be 'set', 'clear', or 'flip')"
    x = element("RandomBitErrors(.1, ACTIVE false)")
    for handler, wrong in (("p_bit_error", "1.5"), ("error_kind", "foo"), ("active", "foo")):
        x.refuses(handler, wrong)
    assert (x.read("p_bit_error"), x.read("error_kind"), x.read("active")) == ("0.1", "flip", "false")


CASES = [Case(f"RandomBitErrors({arguments})") for arguments in ["1", "0.3, flip, false"]]

