"""Click's ControlSocket protocol, version 1.3: handlers of a running router over a stream socket, one line a command.

The protocol is that of Click's ControlSocket element: a banner, commands of one line (CR, LF or CRLF), answers of one or
more lines "NNN message" or, where more follow, "NNN-message", ending in CRLF, and for reads "DATA n" and n bytes.

Besides Click's commands there is RENOUNCE: from then on the client has no rights (vocabulary/rights.py), whoever it is. It is for
programs that call handlers for others.
"""

from __future__ import annotations

from clickbpf.runtime.failures import Failure

RENOUNCE = "RENOUNCE"
BANNER = "Click::ControlSocket/1.3"

OK, SYNTAX, UNIMPLEMENTED, NO_ELEMENT, NO_HANDLER, HANDLER, LLRPC, PERMISSION, UNSPECIFIED = 200, 500, 501, 510, 511, 520, 522, 530, 590
FAILURES = {
    NO_ELEMENT: Failure.NO_ELEMENT,
    NO_HANDLER: Failure.NO_HANDLER,
    PERMISSION: Failure.PERMISSION,
    HANDLER: Failure.FAILED,
    UNSPECIFIED: Failure.FAILED,
}


def plain_text(data: bytes) -> str:
    """A text as it came; any bytes are one."""
    return data.decode("utf-8", "surrogateescape")
