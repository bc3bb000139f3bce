"""Handlers of running routers for a browser: only those that clients of a control socket may call without any rights.

The router itself refuses other calls, and hides keys in values (load/access/access.py), since the page's users have none of the rights in
vocabulary/rights.py.
"""

from collections.abc import Iterator
from typing import Any

from clickbpf.errors import ClickError
from clickbpf.load.access.access import READ, WRITE, Access
from clickbpf.runtime.failures import full_name

#: Seconds that a router may take for an answer; the most characters of a value to show.
PATIENCE, LONGEST = 10.0, 200_000


def handlers(router: str, element: str, may_write: bool) -> list[dict[str, Any]]:
    """The handlers of an element, or of the router for "", that may be called, sorted by name."""
    with _access(router) as access:
        lines = access.read(_name(element, "handlers")).splitlines()
        return list(_allowed(access, element, sorted(lines), may_write))


def _allowed(access: Access, element: str, lines: list[str], may_write: bool) -> Iterator[dict[str, Any]]:
    for line in lines:
        name, _, flags = line.partition("\t")
        read = "r" in flags and access.allows(_name(element, name), READ)
        write = may_write and "w" in flags and access.allows(_name(element, name), WRITE)
        if read or write:
            yield {"name": name, "read": read, "write": write, "argument": "+" in flags}


def read(router: str, element: str, name: str, argument: str) -> dict[str, Any]:
    """A handler's value, cut to LONGEST."""
    with _access(router) as access:
        value = access.read(_name(element, name), argument)
    return {"value": value[:LONGEST], "cut": len(value) > LONGEST}


def write(router: str, element: str, name: str, text: str) -> None:
    with _access(router) as access:
        access.write(_name(element, name), text)


def _access(router: str) -> Access:
    return Access(router, PATIENCE, renounced=True)


def _name(element: str, handler: str) -> str:
    """A handler's full name. ClickError if the text can't be one word of a control socket's command."""
    if any(c.isspace() or not c.isprintable() for c in element + handler) or "." in handler or not handler:
        raise ClickError("this is no name of a handler")
    return full_name(element, handler)
