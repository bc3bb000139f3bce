"""Reads rates of events, measured by rate.h."""

from clickbpf.declare import unparse_binary

#: RATE_SCALE, RATE_EPOCH (in ns), RATE_TICK_EPOCHS and RATE_MOST_EPOCHS of rate.h; epochs per second.
SCALE, EPOCH, TICK_EPOCHS, MOST_EPOCHS = 20, 10**6, 4, 100
FREQUENCY = 10**9 // EPOCH


def advance(average: int, events: int, epochs: int) -> float:
    """The average after `epochs` with `events`."""
    spread = min(max(epochs, 0), TICK_EPOCHS)
    if not spread:
        return average
    if epochs > MOST_EPOCHS:
        return 0
    each = (events << SCALE) / spread
    return (each + (average - each) * (15 / 16) ** spread) * (15 / 16) ** (epochs - spread)


def unparse_rate(average: float, bits: int) -> str:
    """An average of events per epoch, with `bits` of fraction, as events per second in Click's format."""
    return unparse_binary(int(average * FREQUENCY) >> (SCALE - bits), bits)
