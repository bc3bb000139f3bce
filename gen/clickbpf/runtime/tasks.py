"""Tasks of a running router: their threads, tickets and cost; and the handlers for these."""

import ctypes
from collections.abc import Callable, Mapping

from clickbpf.args import Bool, Integer
from clickbpf.args.error import ArgError
from clickbpf.errors import Diagnostic
from clickbpf.graph.check import CheckedRouter
from clickbpf.graph.schedule import MOST
from clickbpf.graph.wiring import Wiring
from clickbpf.messages import show
from clickbpf.runtime.library import TaskState
from clickbpf.vocabulary.roles import ThreadHomes

#: Calls a function of the runtime's library for an element's task, with one argument; raises ArgError if the router isn't running.
TaskCall = Callable[[str, str, object], int]


class Tasks:
    """The tasks of one runtime's elements, by element name; the runtime has `threads` threads."""

    def __init__(self, checked: CheckedRouter, threads: int, call: TaskCall):
        self._router, self._instances, self._threads, self._call = checked.router, checked.instances, threads, call
        self._wiring = Wiring(checked)
        self.homes = self._homes()
        for element, thread in self.homes.items():
            self.move(element, thread)

    def _homes(self) -> dict[str, int]:
        """The threads that elements request for tasks; the last request counts."""
        homes: dict[str, int] = {}
        for name, element in self._instances.items():
            asked = element.home_threads() if isinstance(element, ThreadHomes) else {}
            for thread in dict.fromkeys(asked.values()):
                if not -1 <= thread < self._threads:
                    self._warn(name, f"thread preference {thread} out of range")
            homes |= {other: max(thread, -1) if thread < self._threads else 0 for other, thread in asked.items()}
        return homes

    def _warn(self, element: str, text: str, while_: str | None = None) -> None:
        declared = self._router.element(element)
        heading = while_ or f"configuring '{element} :: {declared.class_name}'"
        said = Diagnostic(None if while_ else declared.place, f"While {heading}:\n  warning: {text}")
        show([Diagnostic(declared.place, text, None, "warning", (said,))], self._router.sources)

    def home_of_device(self, device: str) -> int:
        """The thread requested for reading a device, or -1."""
        readers = (name for name, element in self._instances.items() if element.receives_from() == device)
        return next((self.homes[name] for name in readers if name in self.homes), -1)

    def names(self) -> list[str]:
        """The elements whose task may run. A class that pulls or pushes, depending on its context, uses its task only in one of these."""
        return [name for name in self._instances if self.has_task(name)]

    def has_task(self, element: str) -> bool:
        instance = self._instances[element]
        if "task" not in instance.entries:
            return False
        works = self._wiring.pull_inputs(element) or self._wiring.push_outputs(element)
        return bool(works or not instance.ninputs + instance.noutputs)

    def state(self, element: str) -> TaskState:
        found = TaskState()
        self._call("runtime_task", element, ctypes.byref(found))
        return found

    def move(self, element: str, thread: int) -> None:
        """Give an element's task and timer to a thread, or to none (-1)."""
        if self._call("runtime_move", element, thread) < 0:
            raise ArgError("bad thread", f"there are {self._threads}")

    # -- handlers -----------------------------------------------------------------------------------------------------

    def handlers(self, element: str) -> Mapping[str, tuple]:
        """name -> (read function, write function or None) of an element with a task."""
        if not self.has_task(element):
            return {}
        return {
            "scheduled": (lambda _: Bool().unparse(bool(self.state(element).scheduled)), None),
            "tickets": (lambda _: str(self.state(element).tickets), lambda text: self._write_tickets(element, text)),
            "home_thread": (lambda _: str(self.state(element).thread), lambda text: self._write_home(element, text)),
        }

    def _write_tickets(self, element: str, text: str) -> None:
        asked = Integer(signed=True).parse(text.strip())
        tickets = min(max(asked, 1), MOST)
        if tickets != asked:
            self._warn(element, f"tickets pinned at {tickets}", f"calling '{element}.tickets {text}'")
        self._call("runtime_set_tickets", element, tickets)

    def _write_home(self, element: str, text: str) -> None:
        self.move(element, max(-1, Integer(32, signed=True).parse(text.strip())))
