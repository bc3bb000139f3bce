"""Click's ControlSocket protocol, version 1.3: handlers of a running router over a stream socket, one line a command.

The protocol is that of Click's ControlSocket element: a banner, commands of one line (CR, LF or CRLF), answers of one or
more lines "NNN message" or, where more follow, "NNN-message", ending in CRLF, and for reads "DATA n" and n bytes.

Besides Click's commands there are two. RENOUNCE: from then on the client has no rights (vocabulary/rights.py), whoever it is. It is for
programs that call handlers for others. READEACH reads many handlers at once: what it is given are lines "handler [arg...]", and its DATA
has for each of them, in their order, a line "NNN n" and n bytes, which are the handler's value, or the message if NNN isn't 200. After
ENOUGH bytes of DATA, or a second, the rest is left out: the client asks for it again.
"""

from clickbpf.runtime.failures import Failure

RENOUNCE, READ_EACH = "RENOUNCE", "READEACH"
#: Bytes of one READEACH's DATA after which nothing more is read.
ENOUGH = 1 << 20
BANNER = "Click::ControlSocket/1.3"

OK, WARNED = 200, 220
SYNTAX, UNIMPLEMENTED, NO_ELEMENT, NO_HANDLER, HANDLER, LLRPC, PERMISSION, UNSPECIFIED = 500, 501, 510, 511, 520, 522, 530, 590
FAILURES = {
    NO_ELEMENT: Failure.NO_ELEMENT,
    NO_HANDLER: Failure.NO_HANDLER,
    PERMISSION: Failure.PERMISSION,
    HANDLER: Failure.FAILED,
    UNSPECIFIED: Failure.FAILED,
}


def plain_text(data: bytes) -> str:
    """Received bytes as text; any bytes are valid."""
    return data.decode("utf-8", "surrogateescape")
