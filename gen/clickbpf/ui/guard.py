"""Admission: clients need the printed token, and requests must come from our own page.

The token is part of the printed address, and is exchanged for a cookie. Requests that another page makes a browser send are refused because
of their Host (DNS rebinding), Origin or Sec-Fetch-Site.
"""

import hmac
import ipaddress
import secrets
import time

from aiohttp import web

#: The limit on requests: a rate in requests per second, and a burst.
RATE, BURST = 50.0, 250.0
#: The Content-Security-Policy: a browser may only run and show content from this server.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
READS = ("GET", "HEAD")


class Allowance:
    """A token bucket of BURST requests, filled at RATE."""

    def __init__(self) -> None:
        self._left, self._since = BURST, time.monotonic()

    def take(self) -> bool:
        """Whether another request is allowed now; if so, it is counted."""
        now = time.monotonic()
        self._left = min(BURST, self._left + (now - self._since) * RATE)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Guard:
    """The guard of one server. Its `cookie` has a unique name, since browsers send cookies to all ports of a host."""

    def __init__(self) -> None:
        self.token, self._session = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self.cookie = f"clickbpf-{secrets.token_hex(4)}"
        #: Separate limits for clients with the cookie and without, so that the latter can't keep the former out.
        self._own, self._strangers = Allowance(), Allowance()

    @web.middleware
    async def check(self, request: web.Request, handler) -> web.StreamResponse:
        """Let a request through, or refuse it."""
        if not is_local_name(request.headers.get("Host", "")):
            raise web.HTTPForbidden(text="this server is reached by its address, or as localhost\n")
        known = _same(request.cookies.get(self.cookie, ""), self._session)
        right = request.path == "/" and _same(request.query.get("token", ""), self.token)
        if not right and not (self._own if known else self._strangers).take():
            raise web.HTTPTooManyRequests(text="too many requests\n")
        if request.path == "/" and "token" in request.query:
            return self._enter(request.query["token"])
        if not known:
            raise web.HTTPUnauthorized(text="open the address that 'clickbpf ui' has printed: it has the token\n")
        if not _from_own_page(request):
            raise web.HTTPForbidden(text="another page has made this request\n")
        return await handler(request)

    def _enter(self, token: str) -> web.Response:
        """Exchange the token for the cookie, and redirect, so that the browser's history has the address without the token."""
        if not _same(token, self.token):
            raise web.HTTPUnauthorized(text="this is not the token that 'clickbpf ui' has printed\n")
        answer = web.Response(status=303, headers={"Location": "/"})
        answer.set_cookie(self.cookie, self._session, httponly=True, samesite="Strict", path="/")
        return answer


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add security headers to every answer, including refusals."""
    response.headers.update(HEADERS)


def is_local_name(host: str) -> bool:
    """Whether a Host header is an address or localhost; other names may be under somebody else's control."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    if name.lower() == "localhost":
        return True
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _from_own_page(request: web.Request) -> bool:
    """Whether a browser's request comes from our page, by its headers, which are always present in requests that change something."""
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "none")
    own = f"http://{request.headers['Host']}"
    if request.method not in READS:
        return origin == own and site in ("same-origin", "none")
    opened = request.path == "/" and request.headers.get("Sec-Fetch-Mode") == "navigate"
    return origin in (None, own) and (opened or site in ("same-origin", "none"))


def _same(given: str, wanted: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), wanted.encode())
