"""The line drawn by a ProgressBar."""

from clickbpf.declare import frozen

MOST_BAR = 240
#: Columns beside banner, share and bar, of which eight are for the position.
BESIDE, POSITION = 25, 8
#: Seconds without progress before the bar shows a stall.
STALL = 5
PREFIXES = " KMGTP"
#: For a position without a size: the asterisks move by a hundredth of the bar for this many units.
STEP = 100_000


@frozen
class Moment:
    """The progress at one time. `position` and `size` are None if not known; `seconds` is the time taken, without stalls."""

    position: float | None
    size: float | None
    seconds: float
    #: Seconds since the last progress.
    waited: float
    done: bool
    #: Whether to show the position as a number.
    shows_position: bool
    banner: str = ""

    def line(self, width: int) -> str:
        """The line, for a terminal `width` columns wide; the last line ends with a newline."""
        start = f"{self.banner} " if self.banner else ""
        start += self._share()
        room = width - (len(start) + 1 + BESIDE) + (0 if self.shows_position else POSITION)
        return f"\r{start}{self._bar(min(room, MOST_BAR))}{self._position()}{self._time()}" + "\n" * self.done

    def _percent(self) -> int:
        return max(0, min(100, int(100 * self.position / self.size))) if self.size > 0 else 100

    def _share(self) -> str:
        if self.size is None:
            return ""
        return "  -% " if self.position is None else f"{self._percent():3d}% "

    def _bar(self, length: int) -> str:
        if length <= 0:
            return ""
        if self.position is None or (self.size is None and self.done):
            return f"|{'-' * length}|"
        if self.size is not None:
            return f"|{'*' * (length * self._percent() // 100):{length}}|"
        mark = "***" if length > 3 else "*"
        there = int(self.position / STEP) % 200
        before = (length - len(mark)) * min(there, 200 - there) // 100
        return f"|{' ' * before + mark:{length}}|"

    def _position(self) -> str:
        if not self.shows_position:
            return " "
        if self.position is None:
            return " -----   "
        value, power = self.position, 0
        while value >= 100_000 and power < len(PREFIXES) - 1:
            value, power = value / 1024, power + 1
        return f" {int(value):5d}{PREFIXES[power]}{'B' if power else ' '} "

    def _time(self) -> str:
        known = self.position is not None
        if not self.done and (not known or self.size is None or self.seconds <= 0 or self.position > self.size):
            return "   --:-- ETA"
        if self.waited >= STALL:
            return " - stalled -"
        if self.done or self.position < 1e-6:
            return clock(self.seconds) + "    "
        return clock(self.size / (self.position / self.seconds) - self.seconds) + " ETA"


def clock(seconds: float) -> str:
    hours, rest = divmod(int(seconds), 3600)
    return (f"{hours:2d}:" if hours else "   ") + f"{rest // 60:02d}:{rest % 60:02d}"
