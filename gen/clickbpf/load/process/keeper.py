"""The process that keeps a runtime's log: it writes what the runtime prints, and how the runtime ended."""

import os
import signal

from clickbpf.load.files.log import Log
from clickbpf.load.files.places import RunFolder

_CHUNK = 1 << 16


def begin(folder: RunFolder) -> None:
    """Fork: the child returns, to become the runtime, with its output connected to the log; the parent, the keeper, never returns. The
    keeper's exit status says whether the runtime ended well."""
    reading, writing = os.pipe()
    runtime = os.fork()
    if runtime == 0:
        os.close(reading)
        for output in (1, 2):
            os.dup2(writing, output)
        os.close(writing)
        return
    os.close(writing)
    status = 1
    try:
        status = _keep(Log(folder.log), runtime, reading)
    finally:
        os._exit(status)


def _keep(log: Log, runtime: int, reading: int) -> int:
    """Copy output to the log until the runtime has ended; returns 0 if all was well. Signals that end the runtime don't end this process,
    which has to write the log's last line."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGABRT):
        signal.signal(number, signal.SIG_IGN)
    while text := os.read(reading, _CHUNK):
        log.write(text)
    status = os.waitpid(runtime, 0)[1]
    log.say(_end(status))
    return 1 if status else 0


def _end(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        return f"the runtime died: {signal.strsignal(-code)} (signal {-code})"
    return "the runtime has ended" if code == 0 else f"the runtime died with exit status {code}"
