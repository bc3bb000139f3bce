"""Reports of a loaded router that have an end: a command of its control socket, answered by a stream."""

from collections.abc import Iterator
from contextlib import contextmanager

from clickbpf.errors import ClickError
from clickbpf.load.files.places import RunFolder
from clickbpf.load.process import service
from clickbpf.runtime.client import ControlClient
from clickbpf.runtime.failures import HandlerError


@contextmanager
def reported(name: str, what: str, command: str, argument: str = "") -> Iterator[Iterator[bytes]]:
    """The portions of a router's report within this context; afterwards the router is as before. ClickError if it doesn't report, `what`
    being for the message: what its runtime would do."""
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
