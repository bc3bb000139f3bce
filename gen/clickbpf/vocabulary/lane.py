"""Packets that wait in the kernel for another CPU (plan/hops.py), as Queues, the kernel path's C and the loader count them.

struct lane: `entered` and `left` count packets, and don't share a cache line, since different CPUs write them.

The upper bits of `entered` are the CPU whose queue packets enter. The lower half of `where` is the CPU that processes them: the same,
unless the lane moves. Then the old CPU passes packets on instead of processing them, after all that it has processed (the kernel flushes
redirects to devices first), and the new CPU processes them. When it has taken the last one that entered, none is anywhere else, and the
CPU in `entered` becomes the new one. So packets stay in order, and none has to be refused. Until then the upper half of `where` isn't 0,
and the lane can't be moved again.
"""

from clickbpf.vocabulary.state import Vars, u64

#: The most that one queue can hold.
MOST_WAITING = 16_000
LANE = Vars(capacity=u64, refused=u64, entered=u64, apart=u64 * 8, left=u64, where=u64)
#: The first bit of the CPU in `entered`, and the bits that count packets.
CPU_AT = 48
LANE_COUNT = (1 << CPU_AT) - 1


def c_text() -> str:
    """The same in C."""
    return f"#define MOST_WAITING {MOST_WAITING}\n#define LANE_CPU_AT {CPU_AT}\n{LANE.c_structure('lane')}"
