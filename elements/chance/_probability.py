"""Probabilities, with the 28 bits of fraction that Click keeps."""

from clickbpf.declare import Real

ONE = 1 << 28
PROBABILITY = Real(28)
