"""Packets that go on while something is changed: a flood of pings, and frames with numbers."""

import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from clickbpf.testing.netns import Namespace
from clickbpf.testing.traffic import RawPort


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


@contextmanager
def numbered(port: RawPort, frame: Callable[[int], bytes]) -> Iterator[list[int]]:
    """Within this context frames are sent all the time; yields the list of their numbers."""
    ended, sent = threading.Event(), []

    def send() -> None:
        while not ended.wait(0.002):
            port.send(frame(len(sent)))
            sent.append(len(sent))

    sender = threading.Thread(target=send)
    sender.start()
    try:
        yield sent
    finally:
        ended.set()
        sender.join()
