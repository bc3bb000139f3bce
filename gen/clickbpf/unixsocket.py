"""Listens on UNIX sockets in a way that their files only appear once clients can connect."""

import errno
import os
import secrets
import socket
from contextlib import suppress

#: The longest name in bytes that the kernel accepts (sun_path without its final 0).
LONGEST = 107


def listen_at(opened: socket.socket, path: str, backlog: int) -> None:
    """bind() to a new file, and listen(). OSError if either fails; EADDRINUSE if the file exists.

    Between the two calls there would be a file to which nobody can connect. So both use a temporary name in the same folder, and link()
    then gives the file its real name, without replacing a file of that name. If the temporary name is too long, the real one is bound
    directly, and clients may have to try again.
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
