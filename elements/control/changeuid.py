from __future__ import annotations

import os

from clickbpf.args import ArgError
from clickbpf.vocabulary.element import CONTROL, Element


class ChangeUID(Element):
    """gives up the privileges of a set-uid program

    Synopsis: `ChangeUID`

    Once all elements are initialised, and so have opened their devices and files, sets the process's effective user and group to
    the real ones, those of the user who started it.

    Ports: none.

    Example:

        FromDump(trace.pcap) -> ToDump(copy.pcap);
        ChangeUID;
    """

    ports = "0/0"
    processing = "a/a"
    runs = CONTROL

    def started(self) -> None:
        try:
            os.setgid(os.getgid())
            os.setuid(os.getuid())
        except OSError as error:
            raise ArgError(f"could not change user: {error.strerror}") from None
