"""The effective capabilities of this process, and those that a router needs."""

from pathlib import Path

CAP_IPC_LOCK, CAP_SYS_ADMIN = 14, 21
#: The capabilities that loading a router takes, by number: for devices, qdiscs and device maps; for AF_XDP and AF_PACKET sockets; for
#: programs that compare and move pointers into packets and maps; and for programs and maps in general.
NEEDED = {12: "CAP_NET_ADMIN", 13: "CAP_NET_RAW", 38: "CAP_PERFMON", 39: "CAP_BPF"}
#: The hint if capabilities are missing.
CURE = "run it as root, or as a user with these capabilities (docs/security.md)"


def has(capability: int) -> bool:
    """Whether a capability is effective; the numbers are those of <linux/capability.h>."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("CapEff"))
    return bool(int(line.split()[1], 16) >> capability & 1)


def lacking() -> list[str]:
    """The names of the needed capabilities that aren't effective. CAP_SYS_ADMIN includes the two that were split off from it."""
    return [name for bit, name in NEEDED.items() if not has(bit) and not (bit > CAP_SYS_ADMIN and has(CAP_SYS_ADMIN))]
