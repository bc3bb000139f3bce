"""Packets that wait in the kernel for another CPU (plan/hops.py), as Queues, the kernel path's C and the loader count them."""

from clickbpf.vocabulary.state import Vars, u64

#: The most that one queue can hold.
MOST_WAITING = 16_000
#: struct lane: `entered` and `left` count packets, and don't share a cache line, since different CPUs write them.
LANE = Vars(capacity=u64, refused=u64, entered=u64, apart=u64 * 8, left=u64)


def c_text() -> str:
    """Both in C."""
    return f"#define MOST_WAITING {MOST_WAITING}\n{LANE.c_structure('lane')}"
