"""Admission: clients need the token that was printed, and a browser that shows our own page.

The token comes in the address that is printed, and is exchanged for a cookie. Requests that another page causes a browser to send
are refused by their Host (a name that was made to point here), Origin and Sec-Fetch-Site.
"""

import hmac
import ipaddress
import secrets
import time

from aiohttp import web

#: Requests a second, and requests at once.
RATE, BURST = 50.0, 250.0
#: What a browser may do with the page: run and show what comes from here, and nothing else.
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
    """Requests at a rate of RATE, BURST of them at once."""

    def __init__(self) -> None:
        self._left, self._since = BURST, time.monotonic()

    def take(self) -> bool:
        """Whether one more may come now."""
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
        #: For clients with the cookie, and for those without, who so can't keep the others out.
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
        """Exchange the token for the cookie; the browser then remembers the address without the token."""
        if not _same(token, self.token):
            raise web.HTTPUnauthorized(text="this is not the token that 'clickbpf ui' has printed\n")
        answer = web.Response(status=303, headers={"Location": "/"})
        answer.set_cookie(self.cookie, self._session, httponly=True, samesite="Strict", path="/")
        return answer


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add security headers to every answer, including refusals."""
    response.headers.update(HEADERS)


def is_local_name(host: str) -> bool:
    """Whether a Host header names an address, or this machine: a name that somebody else owns is neither."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    if name.lower() == "localhost":
        return True
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _from_own_page(request: web.Request) -> bool:
    """Browsers report where a request comes from; for requests that change something they always do."""
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "none")
    own = f"http://{request.headers['Host']}"
    if request.method not in READS:
        return origin == own and site in ("same-origin", "none")
    opened = request.path == "/" and request.headers.get("Sec-Fetch-Mode") == "navigate"
    return origin in (None, own) and (opened or site in ("same-origin", "none"))


def _same(given: str, wanted: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), wanted.encode())
