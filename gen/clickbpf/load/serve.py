"""What a router's service process runs: the runtime on the pinned kernel path, and the control socket."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from clickbpf.load.places import RunFolder
from clickbpf.load.takeover import COMMAND, Service
from clickbpf.runtime.control import Serving
from clickbpf.runtime.listening import ControlServer
from clickbpf.runtime.session import Session


@contextmanager
def serving(folder: RunFolder, root: Path, keep: bool) -> Iterator[Session]:
    """Run the router of a folder, whose pins are in the bpffs `root`, and answer at its control socket.

    The socket stays when another router takes this one's place, which only this socket's command can ask for.
    """
    with ExitStack() as ending:
        service = Service(root, folder)
        ending.callback(service.close)
        session = Session(service.run(keep))
        ending.callback(session.close)

        def take_over() -> None:
            session.change(service.replace)
            serving.handlers = session.runtime.handlers

        serving = Serving(session.runtime.handlers, commands={COMMAND: take_over})
        server = ControlServer.unix(folder.control, serving)
        ending.callback(server.close)
        yield session
