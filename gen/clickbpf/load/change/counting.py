"""Count which ways packets take through the elements of a running router, for a profile: a counting build of the kernel path
temporarily replaces the plain one (instrumented.py). Packets that the runtime processes are not counted.
"""

from __future__ import annotations

from contextlib import ExitStack

from clickbpf.errors import ClickError
from clickbpf.load.change.exchange import Hosted
from clickbpf.load.change.instrumented import Instrumented, Links
from clickbpf.load.path.kernelpath import KernelPath
from clickbpf.plan.profile import Profile
from clickbpf.vocabulary.state import CACHE_LINE

#: The command of the control socket.
COUNT = "COUNTWAYS"
#: Bytes of a count.
WORD = 8


class Counting(Instrumented):
    """A count of the packets of a running router. ClickError if no element that runs in the kernel has ways to choose from."""

    done = "profiled"

    def __init__(self, hosted: Hosted, links: Links):
        super().__init__(hosted, links, counting=True)
        plan = self._changed.plan
        self._ways = plan.profiled.counted
        self._counted = [plan.in_kernel(element) for element, _ in self._ways]
        if not any(self._counted):
            message = "nothing of the router can be profiled: it has no element with rules that runs in the kernel"
            raise ClickError(message, hint="a profile is for the order in which Classifier, IPClassifier and IPFilter ask about packets")

    def watch(self, path: KernelPath, undo: ExitStack) -> None:
        memory, _ = path.memory("ways")
        self._words, self._slots = memory.cast("B").cast("Q")[:: CACHE_LINE // WORD], path.slots

    def read(self) -> bytes:
        """The profile of all packets until now."""
        numbers = [sum(self._words[n * self._slots : (n + 1) * self._slots]) for n in range(len(self._ways))]
        taken = [(way, number) for way, number, counted in zip(self._ways, numbers, self._counted, strict=True) if counted]
        return Profile.counted(*zip(*taken, strict=True)).to_json().encode()
