"""Temporary reports of a loaded router, such as traces: a command to its control socket, answered by a stream."""

from collections.abc import Iterator
from contextlib import contextmanager

from clickbpf.errors import ClickError
from clickbpf.load.files.places import RunFolder
from clickbpf.load.process import service
from clickbpf.runtime.client import ControlClient
from clickbpf.runtime.failures import HandlerError


@contextmanager
def reported(name: str, what: str, command: str, argument: str = "") -> Iterator[Iterator[bytes]]:
    """Within this context, the portions of a router's report; the report ends with the context. ClickError if the router can't report;
    its message says that only the runtime can do `what`."""
    folder = RunFolder.of(name)
    if not service.alive(folder):
        message = f"the runtime of {name} is not running, and only it can {what}"
        raise ClickError(message, hint=f"clickbpf load --runtime-only {name}")
    with ControlClient(folder.control) as client:
        try:
            portions = client.stream(command, argument)
        except HandlerError as error:
            raise ClickError(error.message.removeprefix("error: ")) from None
        try:
            yield portions
        finally:
            client.finish()
