"""UNIX sockets whose file appears only once a process listens, so that whoever finds the file can connect."""

import errno
import os
import secrets
import socket
from contextlib import suppress

#: Bytes of a name that the kernel takes (sun_path, with its end).
LONGEST = 107


def listen_at(opened: socket.socket, path: str, backlog: int) -> None:
    """bind() to a new file, and listen(). Raises the OSError of either; EADDRINUSE if the file exists.

    Between the two calls there would be a file that nobody listens at. So both use a temporary name in the same folder, and
    link() then gives the file its real name, without replacing a file of that name. If the temporary name is too long, the real
    one is bound directly, and clients may have to try again.
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
