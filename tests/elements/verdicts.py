"""What the kernel path has done with packets: HANDED, SENT and so on of clickbpf.testing.executors.bpf."""

from clickbpf.testing.executors.bpf import Bpf


def verdicts(router: Bpf, device: str | None = None) -> list[int]:
    """A list to which each run of the router's kernel path appends its verdict from now on; only for a device's packets if one is given."""
    seen: list[int] = []
    run = router.run

    def noting(arrives_on: str, packet: bytes) -> tuple[int, int, bytes]:
        found = run(arrives_on, packet)
        if device in (None, arrives_on):
            seen.append(found[0])
        return found

    router.run = noting
    return seen
