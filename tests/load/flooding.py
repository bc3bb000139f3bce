"""A flood of pings while something is changed: what is lost of it."""

import re
import subprocess
from collections.abc import Callable

from clickbpf.testing.netns import Namespace


def lost_while(change: Callable[[], None], host: Namespace, address: str, requests: int = 20_000, tries: int = 5) -> int:
    """How many echo requests of a flood are not answered that goes on while `change` is done; it is done again, under another
    flood, where the first was over sooner."""
    for _ in range(tries):
        flood = host.popen("ping", "-f", f"-c{requests}", address, stdout=subprocess.PIPE, text=True)
        change()
        running = flood.poll() is None
        said, _ = flood.communicate(timeout=120)
        lost = requests - int(re.search(r"(\d+) received", said)[1])
        if lost or running:
            return lost
    raise AssertionError(f"{tries} floods of {requests} packets were over before the change was")
