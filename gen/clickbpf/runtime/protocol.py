"""Click's ControlSocket protocol, version 1.3: handlers of a running router over a stream socket, one line a command.

The server sends a banner. Commands are lines that end in CR, LF or CRLF. Answers are one or more lines that end in CRLF: "NNN message", or
"NNN-message" if more lines follow; after that of a read comes "DATA n" and n bytes.

There are two commands that Click doesn't have. RENOUNCE takes all rights (vocabulary/rights.py) from the client; it is for programs that
call handlers on behalf of others. READEACH reads many handlers at once: it gets lines "handler [arg...]", and its DATA has for each of
them, in order, a line "NNN n" and n bytes: the handler's value, or the message if NNN isn't 200. After ENOUGH bytes of DATA, or a second,
the rest is left out, and the client has to ask for it again.
"""

from clickbpf.runtime.failures import Failure

RENOUNCE, READ_EACH = "RENOUNCE", "READEACH"
#: Bytes of a READEACH's DATA after which no more handlers are read.
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
