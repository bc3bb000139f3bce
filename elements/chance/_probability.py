"""Probabilities, with the 28 bits of fraction that Click keeps."""

from __future__ import annotations

from clickbpf.args import Real

ONE = 1 << 28
PROBABILITY = Real(28)
