"""Probabilities with a 28-bit fraction, as in Click."""

from clickbpf.declare import Real

ONE = 1 << 28
PROBABILITY = Real(28)
