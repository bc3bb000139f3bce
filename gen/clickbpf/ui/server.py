"""The page's server: a browser's requests, and their handlers.

Names in requests are looked up among the existing ones, and nothing in a request is used as a path. Answers are JSON; mistakes are
{"errors": [{"message", "hint", "line", "column", "severity"}]} with status 422.
"""

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

from aiohttp import web

from clickbpf.errors import ClickError
from clickbpf.load.access.listing import describe
from clickbpf.load.life.trial import confirm
from clickbpf.messages import plain
from clickbpf.observe.traced.costs import measure
from clickbpf.observe.traced.costs import plain as plain_costs
from clickbpf.ui import checking, completing, drawing, operations, probing, saving, tracing
from clickbpf.ui.guard import Guard, add_headers
from clickbpf.ui.live import Live, TooMany
from clickbpf.ui.probe import ProbeRequest
from clickbpf.ui.subjects import LARGEST, File, RunningRouter, Subject, Subjects
from clickbpf.ui.swap import Swaps

PAGE = Path(__file__).parent / "page"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
#: The most bytes of a request, which may contain a configuration as JSON.
LARGEST_REQUEST = 4 * LARGEST
#: The longest trial of a swap before its confirmation, in seconds.
LONGEST_TRIAL = 3600
#: Seconds that a browser may take to read an answer.
PATIENCE = 30.0


class Server:
    """The page for these subjects. Without `may_write` no request changes anything."""

    def __init__(self, subjects: Subjects, may_write: bool):
        self.guard, self._subjects, self._may_write = Guard(), subjects, may_write
        self._lives: dict[str, Live] = {}
        self._swaps, self._drawings, self._one, self._proof = Swaps(), drawing.Drawings(), asyncio.Lock(), asyncio.Lock()
        self._pages = {path.name: (TYPES[path.suffix], path.read_bytes()) for path in PAGE.iterdir() if path.suffix in TYPES}
        self.app = web.Application(middlewares=[self.guard.check, _mistakes], client_max_size=LARGEST_REQUEST)
        self.app.on_response_prepare.append(add_headers)
        self.app.add_routes([
            web.get("/", self._page),
            web.get("/page/{name}", self._page),
            web.get("/api/subjects", self._list),
            web.get("/api/subjects/{number}/graph", self._graph),
            web.get("/api/subjects/{number}/element", self._element),
            web.get("/api/subjects/{number}/text", self._text),
            web.get("/api/subjects/{number}/live", self._live),
            web.get("/api/subjects/{number}/handlers", self._handlers),
            web.get("/api/subjects/{number}/handler", self._read),
            web.post("/api/subjects/{number}/handler", self._write),
            web.post("/api/subjects/{number}/check", self._check),
            web.post("/api/subjects/{number}/completions", self._complete),
            web.post("/api/subjects/{number}/save", self._save),
            web.post("/api/subjects/{number}/change", self._prepare),
            web.post("/api/change", self._perform),
            web.post("/api/difference", self._difference),
            web.post("/api/subjects/{number}/confirm", self._confirm),
            web.post("/api/subjects/{number}/packet", self._probe),
            web.get("/api/subjects/{number}/trace", self._trace),
            web.get("/api/subjects/{number}/costs", self._costs),
        ])  # fmt: skip

    # -- the page -----------------------------------------------------------------------------------------------------

    async def _page(self, request: web.Request) -> web.Response:
        found = self._pages.get(request.match_info.get("name", "index.html"))
        if found is None:
            raise web.HTTPNotFound
        return web.Response(body=found[1], content_type=found[0], charset="utf-8")

    # -- what there is to see -----------------------------------------------------------------------------------------

    async def _list(self, request: web.Request) -> web.Response:
        subjects = await asyncio.to_thread(lambda: [_summary(number, subject) for number, subject in self._subjects.now()])
        return _json({"may_write": self._may_write, "subjects": subjects})

    async def _graph(self, request: web.Request) -> web.Response:
        subject, unfolded = self._subject(request), frozenset(request.query.getall("unfolded", []))
        return _text(await asyncio.to_thread(self._drawings.graph, subject, unfolded))

    async def prepare(self) -> None:
        """Prepare the graph that a browser will request first."""
        with contextlib.suppress(ClickError):
            first = await asyncio.to_thread(lambda: next((subject for _, subject in self._subjects.now()), None))
            if first is not None:
                await asyncio.to_thread(self._drawings.graph, first, frozenset())

    async def _element(self, request: web.Request) -> web.Response:
        subject, name = self._subject(request), request.query.get("name", "")
        found = await asyncio.to_thread(lambda: drawing.element(subject.shown(), name))
        if found is None:
            raise web.HTTPNotFound
        return _json(found)

    async def _text(self, request: web.Request) -> web.Response:
        subject = self._subject(request)
        secrets = self._may_write or subject.kind == "file"

        def look() -> dict[str, Any]:
            version, text = subject.version(), subject.text(secrets)
            return {"version": version, "text": text, "given": subject.surroundings(text)["variables"] if secrets else {}}

        return await _answer(look)

    # -- what runs ----------------------------------------------------------------------------------------------------

    async def _live(self, request: web.Request) -> web.StreamResponse:
        """Server-sent events: a measurement each second."""
        router = self._router(request)
        live = self._lives.setdefault(router.name, Live(router, self._may_write))
        try:
            return await _events(request, live.follow())
        except TooMany:
            raise web.HTTPServiceUnavailable(text="this router has too many viewers\n") from None

    async def _trace(self, request: web.Request) -> web.StreamResponse:
        """Server-sent events: the paths of packets. Meanwhile a tracing build replaces the router's kernel path."""
        router = self._router(request)
        self._need_write()
        filter_, count = request.query.get("filter", ""), request.query.get("count", "")
        if not count.isascii() or not count.isdigit() or not 0 < len(count) < 5 or not 0 < int(count) <= tracing.MOST:
            raise web.HTTPBadRequest
        return await _events(request, _lines(tracing.paths(router.name, filter_, int(count))))

    async def _costs(self, request: web.Request) -> web.Response:
        """The costs of elements, from a trace of one second."""
        router = self._router(request)
        self._need_write()
        return await _answer(lambda: {"costs": plain_costs(measure(router.name, 1.0).elements)})

    async def _handlers(self, request: web.Request) -> web.Response:
        router, element = self._router(request), request.query.get("element", "")
        return await _answer(lambda: {"handlers": operations.handlers(router.name, element, self._may_write)})

    async def _read(self, request: web.Request) -> web.Response:
        router = self._router(request)
        element, name, argument = (request.query.get(key, "") for key in ("element", "name", "argument"))
        return await _answer(lambda: operations.read(router.name, element, name, argument))

    async def _write(self, request: web.Request) -> web.Response:
        router, given = self._router(request), await self._change(request)
        element, name, text = (_string(given, key) for key in ("element", "name", "text"))
        return await _answer(lambda: operations.write(router.name, element, name, text) or {})

    # -- other texts ---------------------------------------------------------------------------------------------------

    async def _check(self, request: web.Request) -> web.Response:
        """The mistakes in a text, and where each element would run; nothing is changed. Texts are checked one at a time."""
        subject, given = self._subject(request), await _body(request)
        text, unfolded = _configuration(given), given.get("unfolded", [])
        if not isinstance(unfolded, list) or not all(isinstance(each, str) for each in unfolded):
            raise web.HTTPBadRequest
        async with self._one:
            return await _answer(lambda: checking.checked(subject, text, frozenset(unfolded)))

    async def _complete(self, request: web.Request) -> web.Response:
        """Proposals for completing the word at an offset of a text."""
        subject, given = self._subject(request), await _body(request)
        text, at = _configuration(given), given.get("at")
        if type(at) is not int or not 0 <= at <= len(text):
            raise web.HTTPBadRequest
        async with self._one:
            return await _answer(lambda: completing.completions(text, at, subject.classes()))

    async def _save(self, request: web.Request) -> web.Response:
        """Write a text into its file, unless that has changed since it was read."""
        subject, given = self._subject(request), await self._change(request)
        if not isinstance(subject, File):
            raise web.HTTPNotFound
        text, version = _configuration(given), _string(given, "version")
        async with self._one:
            return await _answer(lambda: {"version": saving.save(subject.path, text, version)})

    async def _prepare(self, request: web.Request) -> web.Response:
        """The changes if a text replaced the router; `from` is the subject of the text."""
        router, given = self._router(request), await self._change(request)
        text, source = _configuration(given), self._subjects.find(str(given.get("from", "")))
        if source is None:
            raise web.HTTPBadRequest
        async with self._one:
            return await _answer(lambda: self._swaps.prepare(router, source.check(text)))

    async def _perform(self, request: web.Request) -> web.Response:
        """Perform a prepared change that the user has seen. With `seconds` it has to be confirmed within this time."""
        given = await self._change(request)
        ticket, seconds = _string(given, "ticket"), given.get("seconds")
        if seconds is not None and (type(seconds) is not int or not 1 <= seconds <= LONGEST_TRIAL):
            raise web.HTTPBadRequest
        async with self._one:
            return await _answer(lambda: self._swaps.perform(ticket, seconds))

    async def _difference(self, request: web.Request) -> web.Response:
        """Which packets a prepared change treats differently; one proof at a time."""
        ticket = _string(await self._change(request), "ticket")
        async with self._proof:
            return _json(await self._swaps.difference(ticket))

    async def _confirm(self, request: web.Request) -> web.Response:
        """Confirm the swap whose trial is shown."""
        router, given = self._router(request), await self._change(request)
        token = _string(given, "trial")
        return await _answer(lambda: confirm(router.name, token) or {})

    async def _probe(self, request: web.Request) -> web.Response:
        """Follow a packet through a test instance of the subject or, if the page may write, of another text."""
        subject, given = self._subject(request), await _body(request)
        if given.get("text") is not None:
            self._need_write()
            text = _configuration(given)
        else:
            text = await asyncio.to_thread(subject.text, True)
        packet, device = probing.hexadecimal(_string(given, "packet")), _string(given, "device")
        async with self._one:
            surroundings = await asyncio.to_thread(subject.surroundings, text)
            found = await probing.probe(ProbeRequest(text=text, device=device, packet=packet, **surroundings))
        return _json(found, 422 if "errors" in found else 200)

    # -- requests -----------------------------------------------------------------------------------------------------

    def _subject(self, request: web.Request) -> Subject:
        subject = self._subjects.find(request.match_info["number"])
        if subject is None:
            raise web.HTTPNotFound
        return subject

    def _router(self, request: web.Request) -> RunningRouter:
        subject = self._subject(request)
        if not isinstance(subject, RunningRouter):
            raise web.HTTPNotFound
        return subject

    async def _change(self, request: web.Request) -> dict[str, Any]:
        """The content of a request that changes something."""
        self._need_write()
        return await _body(request)

    def _need_write(self) -> None:
        if not self._may_write:
            raise web.HTTPForbidden(text="this page only looks: 'clickbpf ui --write' lets it write\n")


async def _events(request: web.Request, messages: AsyncGenerator[str, None]) -> web.StreamResponse:
    """Send server-sent events until there are no more, or the browser disconnects or stops reading."""
    answer = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    async with contextlib.aclosing(messages):
        try:
            async for message in messages:
                if not answer.prepared:
                    await answer.prepare(request)
                await asyncio.wait_for(answer.write(f"data: {message}\n\n".encode()), PATIENCE)
        except (TimeoutError, ConnectionError):
            request.transport and request.transport.abort()
    return answer


async def _lines(values: AsyncGenerator[Any, None]) -> AsyncGenerator[str, None]:
    """Values as JSON."""
    async with contextlib.aclosing(values):
        async for value in values:
            yield json.dumps(value, separators=(",", ":"))


async def _body(request: web.Request) -> dict[str, Any]:
    """A request's JSON object."""
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType
    try:
        given = json.loads(await request.text())
    except (ValueError, LookupError, RecursionError):  # not JSON, an unknown encoding, or endless brackets
        raise web.HTTPBadRequest from None
    if not isinstance(given, dict):
        raise web.HTTPBadRequest
    return given


def _string(given: dict[str, Any], key: str) -> str:
    """A text in a request; it must be valid Unicode."""
    text = given.get(key, "")
    try:
        text.encode("utf-8", "surrogateescape")
    except (AttributeError, UnicodeEncodeError):
        raise web.HTTPBadRequest from None
    return text


def _configuration(given: dict[str, Any]) -> str:
    text = _string(given, "text")
    if len(text) > LARGEST:
        raise web.HTTPRequestEntityTooLarge(LARGEST, len(text))
    return text


def _summary(number: int, subject: Subject) -> dict[str, Any]:
    """A line of the list of subjects."""
    found = {"number": number, "kind": subject.kind, "name": subject.name}
    if not isinstance(subject, RunningRouter):
        return found
    try:
        loaded = describe(subject.name)
    except ClickError:
        return found
    return {**found, "state": loaded.state, "mode": loaded.mode, "uptime": loaded.uptime, "devices": list(loaded.devices.values())}


async def _answer(function: Callable[[], dict[str, Any]]) -> web.Response:
    return _json(await asyncio.to_thread(function))


def _json(value: Any, status: int = 200) -> web.Response:
    return _text(json.dumps(value, separators=(",", ":")), status)


def _text(text: str, status: int = 200) -> web.Response:
    """An answer with a JSON text."""
    return web.Response(text=text, status=status, content_type="application/json")


@web.middleware
async def _mistakes(request: web.Request, handler) -> web.StreamResponse:
    """Answer with the mistakes of a ClickError."""
    try:
        return await handler(request)
    except ClickError as error:
        return _json({"errors": list(map(plain, error.diagnostics))}, 422)


def serve(server: Server, address: str, port: int) -> None:
    """Serve until interrupted. The address with the token is printed once browsers can connect."""
    try:
        asyncio.run(_serve(server, address, port))
    except OSError as error:
        raise ClickError(f"the page can't be served at {address}:{port}: {error.strerror}") from None


async def _serve(server: Server, address: str, port: int) -> None:
    runner = web.AppRunner(server.app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, address, port)
        await site.start()
        host, own = site._server.sockets[0].getsockname()[:2]
        print(f"http://{f'[{host}]' if ':' in host else host}:{own}/?token={server.guard.token}", flush=True)
        print("Open this address in a browser on this machine. Ctrl-C ends the page.", file=sys.stderr)
        await server.prepare()
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()
