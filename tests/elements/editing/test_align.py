"""Align: checks its arguments and passes packets."""

from clickbpf.testing.cases import Case


def test_packets_pass(element):
    x = element("Align(8, 7)", before="Strip(3)")
    x.gives(bytes(range(64)), bytes(range(3, 64)))


CASES = [Case("Align(4, 2)")]
MISTAKES = {"Align(3, 1)": ["Align: MODULUS must be 2, 4, or 8"], "Align(4, 4)": ["Align: OFFSET must be smaller than MODULUS"]}
