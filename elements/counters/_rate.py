"""Rates of events as rate.h measures them, read from Python."""

from clickbpf.declare import unparse_binary

#: RATE_SCALE, RATE_EPOCH (in ns), RATE_TICK_EPOCHS and RATE_MOST_EPOCHS of rate.h; epochs in a second.
SCALE, EPOCH, TICK_EPOCHS, MOST_EPOCHS = 20, 10**6, 4, 100
FREQUENCY = 10**9 // EPOCH


def advance(average: int, events: int, epochs: int) -> float:
    """The average after `epochs` in which there were `events`."""
    spread = min(max(epochs, 0), TICK_EPOCHS)
    if not spread:
        return average
    if epochs > MOST_EPOCHS:
        return 0
    each = (events << SCALE) / spread
    return (each + (average - each) * (15 / 16) ** spread) * (15 / 16) ** (epochs - spread)


def unparse_rate(average: float, bits: int) -> str:
    """An average of events an epoch as events a second, with that many bits of fraction, as Click shows it."""
    return unparse_binary(int(average * FREQUENCY) >> (SCALE - bits), bits)
