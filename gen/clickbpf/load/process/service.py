"""The runtime of a loaded router as a process of its own: starts, finds and ends it.

    python -m clickbpf.load.process.service FOLDER BPFFS DESCRIPTOR fresh|keep

runs the router of a folder in /run in the background. BPFFS is a descriptor of the BPF file system, which the process couldn't open itself
if it isn't mounted in its mount namespace. DESCRIPTOR is the pipe on which it reports that everything runs, or the errors. The router's
folder identifies the process, by its process id and start time (process.py). A second process keeps its log (keeper.py).
"""

import faulthandler
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from clickbpf import private
from clickbpf.errors import ClickError, Diagnostic, Place
from clickbpf.load.files import log
from clickbpf.load.files.places import RunFolder
from clickbpf.load.files.process import Process, Usage, ended, own_environment
from clickbpf.load.kernel import bpffs
from clickbpf.load.kernel.causes import explained
from clickbpf.load.process import keeper
from clickbpf.load.process.systemd import Watchdog
from clickbpf.waiting import readable

#: Seconds after which a runtime that should end is killed, and after which one that hasn't reported is given up.
END, START = 10, 120
SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT})
#: Seconds between two checks of the router's state.
GLANCE = 0.2


def start(folder: RunFolder, keep: bool = False) -> Callable[[], None]:
    """Start the runtime of a router whose kernel path is pinned; once it runs, returns the function that ends it.

    `keep`: leave the state in the kernel as an earlier runtime has filled it.
    ClickError with the runtime's errors if it can't start, or with the end of its log if it dies without reporting any.
    """
    with ExitStack() as closing:
        reading, writing = os.pipe()
        closing.callback(os.close, reading)
        with explained("the runtime can't be started"):
            launched = _launch(folder, keep, writing)
        try:
            answer = _answer(reading)
        except BaseException:
            _end_all(launched)
            raise
        finally:
            launched.wait()
    if answer != {"ready": True}:
        raise _failure(answer, folder)
    return lambda: stop(folder)


def _launch(folder: RunFolder, keep: bool, writing: int) -> subprocess.Popen:
    """Start the new process; this one closes the writing end of the pipe."""
    with ExitStack() as closing:
        closing.callback(os.close, writing)
        root = bpffs.opened()
        closing.callback(os.close, root)
        command = [sys.executable, "-m", "clickbpf.load.process.service", str(folder.root), str(root), str(writing)]
        command.append("keep" if keep else "fresh")
        with open(private.open_file(folder.log, os.O_WRONLY | os.O_APPEND), "ab") as output:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd="/",
                env=own_environment(),
                pass_fds=[root, writing],
                start_new_session=True,
            )


def _end_all(launched: subprocess.Popen) -> None:
    """Kill the group of a process: the runtime, its keeper, and a compiler that the runtime may be waiting for. The process must not have
    been waited for, so that its number is still its group's."""
    with suppress(ProcessLookupError):
        os.killpg(launched.pid, signal.SIGKILL)


def _answer(reading: int) -> dict:
    """The new process's report, one line; {} if it ends without reporting, in which case the keeper has completed the log by then."""
    text = b""
    while not text.endswith(b"\n"):
        if not readable([reading], START):
            raise ClickError(f"the runtime has not started within {START} seconds")
        part = os.read(reading, 65536)
        if not part:
            return {}
        text += part
    return json.loads(text)


def _failure(answer: dict, folder: RunFolder) -> ClickError:
    if "errors" in answer:
        return ClickError([_diagnostic(error) for error in answer["errors"]])
    said = [line.rstrip("\n").partition(" ")[2] for line in log.lines(folder.log)][-6:]
    return ClickError("the runtime died while it started" + "".join(f"\n    {line}" for line in said))


def _diagnostic(plain: dict) -> Diagnostic:
    place = Place(*plain["place"]) if plain["place"] else None
    return Diagnostic(place, plain["message"], plain["hint"], plain["severity"])


def alive(folder: RunFolder) -> int | None:
    """The process id of the router's runtime, None if none runs."""
    process = _process(folder)
    return process.pid if process and process.runs() else None


def main_process(folder: RunFolder) -> int:
    """The process id of the runtime's keeper, whose exit status says how the runtime has ended; 0 if none runs."""
    process = _process(folder)
    return process.parent() if process and process.runs() else 0


def uptime(folder: RunFolder) -> float | None:
    """Seconds since the runtime's process was started."""
    process = _process(folder)
    return process.age() if process and process.runs() else None


def usage(folder: RunFolder) -> Usage | None:
    """CPU time and memory of the runtime's process, None if none runs."""
    process = _process(folder)
    return process.usage() if process else None


def _process(folder: RunFolder) -> Process | None:
    return Process.in_file(folder.pid)


def stop(folder: RunFolder) -> None:
    """End the runtime, by SIGTERM first and by SIGKILL if that doesn't help."""
    process = _process(folder)
    if process is None:
        return
    with suppress(ProcessLookupError), process.opened() as found:
        if found is not None:
            signal.pidfd_send_signal(found, signal.SIGTERM)
            if not ended(found, END):
                signal.pidfd_send_signal(found, signal.SIGKILL)
                ended(found, END)


# -- in the new process ---------------------------------------------------------------------------------------------


def main(arguments: list[str]) -> int:
    """Become a background process, start the runtime, report success, and run until a signal ends it."""
    folder, root, writing = RunFolder(Path(arguments[0])), bpffs.hold(int(arguments[1])), int(arguments[2])
    if os.fork():
        os._exit(0)
    keeper.begin(folder)
    faulthandler.enable()
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        with ExitStack() as running:
            with explained("the runtime can't be started"):  # /run may be full, for instance
                private.write(folder.pid, f"{Process.here()}\n".encode())
                from clickbpf.load.change.takeover import Service

                session = running.enter_context(closing(Service(root, folder)))
                session.run(keep=arguments[3] == "keep")
            _say(writing, {"ready": True})
            _until_signal(session)
    except ClickError as error:
        _say(writing, {"errors": [_plain(d) for d in error.diagnostics]})
        return 1
    return 0


def _until_signal(session) -> None:
    """Serve elements that call their Python side, until a signal ends the process. A router that has stopped by itself still answers."""
    watchdog = Watchdog()
    while True:
        stopped = session.wait(GLANCE)
        if watchdog.due:
            session.answers()
            watchdog.well()
        if signal.sigtimedwait(SIGNALS, GLANCE if stopped else 0):
            return


def _say(writing: int, answer: dict) -> None:
    os.write(writing, json.dumps(answer).encode() + b"\n")
    os.close(writing)


def _plain(diagnostic: Diagnostic) -> dict:
    place = diagnostic.place
    return {
        "place": place and [place.file, place.line, place.column],
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "severity": diagnostic.severity,
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
