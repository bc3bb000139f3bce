"""UNIX sockets whose file is there only when somebody listens: who finds it is let in."""

from __future__ import annotations

import errno
import os
import secrets
import socket
from contextlib import suppress

#: Bytes of a name that the kernel takes (sun_path, with its end).
LONGEST = 107


def listen_at(opened: socket.socket, path: str, backlog: int) -> None:
    """bind() to a file that isn't there, and listen(). OSError as theirs; EADDRINUSE if there is such a file.

    Between the two there would be a file at which nobody listens. So they happen under another name in the same folder, and the file
    gets its own after that, by link(), which takes nobody else's away. Where that other name is too long, clients have to try again.
    """
    other = f"{path}.{secrets.token_hex(3)}"
    if len(os.fsencode(other)) > LONGEST:
        opened.bind(path)
        opened.listen(backlog)
        return
    opened.bind(other)
    try:
        opened.listen(backlog)
        os.link(other, path)
    except FileExistsError:
        raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE)) from None
    finally:
        with suppress(FileNotFoundError):
            os.unlink(other)
