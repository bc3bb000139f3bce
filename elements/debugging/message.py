from __future__ import annotations

from clickbpf.args import ArgError, Enum, Optional, Required, String
from clickbpf.vocabulary.element import CONTROL, Element

from ..common._warning import warn


class Message(Element):
    """prints a message when the router is configured

    Synopsis: `Message(MESSAGE, [TYPE])`

    Arguments:

      - MESSAGE: the text.
      - TYPE: MESSAGE and WARNING print it on standard error, ERROR also keeps the router from running. Default MESSAGE.

    Ports: none.

    Example:

        Message("eth1 has to be up", WARNING);
        FromDevice(eth0) -> Queue -> ToDevice(eth1);
    """

    ports = "0/0"
    runs = CONTROL
    args = (Required("MESSAGE", String()), Optional("TYPE", Enum("MESSAGE", "WARNING", "ERROR"), "MESSAGE"))

    def configure(self) -> None:
        if self.cfg.type == "ERROR":
            raise ArgError(self.cfg.message, argument="MESSAGE")
        warn(self, self.cfg.message, self.cfg.type.lower())
