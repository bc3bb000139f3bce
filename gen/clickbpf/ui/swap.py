"""Swapping a running router for another configuration: first a list of the changes, then the swap.

The swap does exactly what was shown: a change is prepared, compiled and shown; then it is performed by its ticket, but only if the router
is still the one for which it was prepared.
"""

import asyncio
import secrets
import tempfile
import threading
from dataclasses import replace
from typing import Any

from clickbpf.compile import Compilation
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.graph.check import CheckedRouter
from clickbpf.load.devices.devices import with_default_route
from clickbpf.load.devices.need import entered
from clickbpf.load.devices.record import call_at_home, record, whole_record
from clickbpf.load.life import confirm
from clickbpf.load.life.loader import Request
from clickbpf.load.life.preview import preview
from clickbpf.load.life.reload import request_as_loaded
from clickbpf.load.life.replace import replace as put_in_place
from clickbpf.ui.probing import ask
from clickbpf.ui.subjects import RunningRouter

#: The most prepared changes; when there are more, the oldest is dropped.
MOST = 16
#: Seconds for a proof.
LONGEST_PROOF = 300.0


@frozen
class Prepared:
    """A prepared change of this version of a router."""

    router: RunningRouter
    version: str
    request: Request


class Swaps:
    """The prepared changes, by ticket."""

    def __init__(self) -> None:
        self._prepared: dict[str, Prepared] = {}
        self._lock = threading.Lock()

    def prepare(self, router: RunningRouter, checked: CheckedRouter) -> dict[str, Any]:
        """Compile a router for the running one's devices and settings; returns the list of changes, and the ticket."""
        version, before, loaded = router.version(), router.shown(), whole_record(router.name)
        options = before.made.options
        options = replace(options, user=options.user & checked.instances.keys(), traced=None, traced_at=None)
        made = Compilation(checked, options)
        said: list[str] = []

        def look() -> tuple[Request, list[str], list[str]]:
            content = made.build_for(loaded.threads).read_bytes()
            request = request_as_loaded(router.name, content, loaded, said.append)
            return request, list(preview(request, True)), list(with_default_route(entered(request)))

        request, lines, default = call_at_home(router.name, look)
        warnings = [f"{device} carries the default route of this machine" for device in default]
        ticket = secrets.token_urlsafe(16)
        with self._lock:
            self._prepared[ticket] = Prepared(router, version, request)
            while len(self._prepared) > MOST:
                del self._prepared[next(iter(self._prepared))]
        return {"ticket": ticket, "lines": lines, "warnings": warnings + said}

    async def difference(self, ticket: str) -> dict[str, Any]:
        """Which packets a prepared change treats differently, as `clickbpf diff` says it of the running router and the new one's object."""
        with self._lock:
            prepared = self._prepared.get(ticket)
        if prepared is None:
            raise _unprepared()
        request, loaded = prepared.request, record(prepared.router.folder)
        used = [f"{conf}={device}" for conf, device in loaded.devices.items() if conf != device]
        folders = [word for folder in loaded.trusted_library() for word in ("--elements", folder)]
        with tempfile.NamedTemporaryFile(suffix=".o") as file:
            file.write(request.content)
            file.flush()
            words = ["clickbpf.cli.main", "diff", *folders, request.name, file.name, *used]
            said = await ask(words, b"", LONGEST_PROOF, asyncio.subprocess.STDOUT)
        return {"text": said.decode(errors="replace")}

    def perform(self, ticket: str, seconds: float | None = None) -> dict[str, Any]:
        """Perform a prepared change; with `seconds`, the previous router comes back after that time unless the change is
        confirmed. ClickError if the router was replaced meanwhile, or the change fails; then the router runs on unchanged."""
        with self._lock:
            prepared = self._prepared.pop(ticket, None)
        if prepared is None:
            raise _unprepared()
        said: list[str] = []
        name = prepared.router.name

        def swap() -> None:
            with confirm.watched(name, seconds) as token:
                put_in_place(replace(prepared.request, say=said.append, trial=token), prepared.version)

        call_at_home(name, swap)
        return {"lines": said}


def _unprepared() -> ClickError:
    return ClickError("this change isn't prepared any more", hint="show what it would change once more")
