import os

from clickbpf.declare import CONTROL, ArgError, Element


class ChangeUID(Element, ports="0/0", processing="a/a", runs=CONTROL):
    """gives up the privileges of a set-uid program

    Sets the process's effective user and group to the real ones, those of the user who started it, once all elements are
    initialised and have opened their devices and files.

    Example:

        FromDump(trace.pcap) -> ToDump(copy.pcap);
        ChangeUID;
    """

    def started(self) -> None:
        try:
            os.setgid(os.getgid())
            os.setuid(os.getuid())
        except OSError as error:
            raise ArgError(f"could not change user: {error.strerror}") from None
