"""What a router's service process runs: the runtime on the pinned kernel path, and the control socket."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from clickbpf.errors import Diagnostic
from clickbpf.load.change.counting import COUNT
from clickbpf.load.change.takeover import DROPS_BEFORE, TAKEOVER, Service
from clickbpf.load.change.tracing import TRACE
from clickbpf.load.files import states
from clickbpf.load.files.places import RunFolder
from clickbpf.messages import show
from clickbpf.runtime.control import Serving
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.listening import ControlServer
from clickbpf.runtime.session import Session


class Served:
    """The router of the process, and what it reports: its state, and whether its code is optimised."""

    def __init__(self, folder: RunFolder, service: Service, session: Session):
        self._folder, self._service, self._session = folder, service, session
        self._said: tuple[Runtime, str] | None = None
        self._said_of_code: tuple[Runtime, bool, bool] | None = None
        self._report(states.RUNNING)

    def wait(self, seconds: float) -> bool:
        """As Session.wait; and a router that has stopped no longer takes packets, unless another one has taken its place
        already."""
        runtime = self._session.runtime
        stopped = self._session.wait(seconds)
        now = states.STOPPED if stopped else states.RUNNING
        with self._session.swapping:
            if self._session.runtime is not runtime:
                return False
            if self._said != (runtime, now):
                if stopped:
                    self._service.leave_to_kernel()
                self._report(now)
            self._report_code()
            if not stopped:
                self._unstick(runtime)
        return stopped

    def _unstick(self, runtime: Runtime) -> None:
        """Handovers that are refused while their socket is empty begin again, and the log says so."""
        if sockets := runtime.unstick():
            lost = f"packets for the runtime were dropped (OVERRUN) while {sockets} of its sockets had none: it takes packets again"
            show([Diagnostic(None, lost, severity="warning")])

    def answers(self) -> None:
        """Return once no thread of the router is within an element: never, if one hangs there."""
        with self._session.runtime.locked():
            pass

    def _report(self, now: str) -> None:
        with suppress(FileNotFoundError):  # another router's folder is being renamed to this name: reported at the next check
            states.report(self._folder, now)
            self._said = (self._session.runtime, now)
            self._report_code()

    def _report_code(self) -> None:
        runtime = self._session.runtime
        now = (runtime, runtime.is_quick, runtime.is_optimising)
        if now != self._said_of_code:
            with suppress(FileNotFoundError):  # as above
                states.report_code(self._folder, *now[1:])
                self._said_of_code = now


@contextmanager
def serving(folder: RunFolder, root: Path, keep: bool) -> Iterator[Served]:
    """Run the router of a folder, whose pins are in the bpffs `root`, and answer at its control socket.

    The socket stays when another router takes this one's place, which only this socket's command can ask for.
    """
    with ExitStack() as ending:
        service = Service(root, folder)
        ending.callback(service.close)
        session = Session(service.run(keep))
        ending.callback(session.close)
        ending.callback(service.end_reports)

        def take_over() -> None:
            session.change(service.replace)
            serving.handlers = session.runtime.handlers

        commands = {TAKEOVER: take_over, DROPS_BEFORE: service.adopt_drops}
        serving = Serving(session.runtime.handlers, commands=commands, streams={TRACE: service.traced, COUNT: service.counted})
        server = ControlServer.unix(folder.control, serving)
        ending.callback(server.close)
        yield Served(folder, service, session)
