from __future__ import annotations

from clickbpf.args import ArgError, Raw, Rest
from clickbpf.vocabulary.element import CONTROL, Element


class Error(Element):
    """keeps the router from running

    Synopsis: `Error(...)`

    For a configuration, or a branch of one, that must not be used and would not be refused otherwise:
    any ports and arguments are accepted.

    Arguments: any.

    Ports: any number of inputs and outputs, push or pull.

    Example: a configuration that asks for its variable. It is refused as it stands:

        Error("DEV is the device to listen on") -> Discard;
    """

    ports = "-/-"
    flow = "x/y"
    runs = CONTROL
    args = (Rest("IGNORED", Raw()),)

    def configure(self) -> None:
        given = ", ".join(self.cfg.ignored)
        raise ArgError(f"this router is not to be run{f': {given}' if given else ''}")
