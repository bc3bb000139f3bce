"""Runs on two CPUs at once, for tests that what both of them write is whole."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

two_cpus = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one CPU only")


def run_on_two_cpus(router, device: str, packet: bytes, times: int) -> None:
    """Let the kernel path process the packet `times` times on each of two CPUs, at the same time."""

    def run(cpu: int) -> None:
        os.sched_setaffinity(0, {cpu})
        router.test_run(device, packet, len(packet) + 512, repeat=times)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run, sorted(os.sched_getaffinity(0))[:2]))
