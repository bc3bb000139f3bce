"""Bounds for tests of what happens by chance."""

from math import sqrt


def likely(count: int, trials: int, probability: float) -> bool:
    """Whether a count of independent events lies within six standard deviations of what is expected.

    A right count lies outside once in 5 * 10^8 times.
    """
    return abs(count - trials * probability) <= 6 * sqrt(trials * probability * (1 - probability))
