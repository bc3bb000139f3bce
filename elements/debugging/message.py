from clickbpf.declare import CONTROL, ArgError, Element, Enum, Optional, Required, String

from ..common._warning import warn


class Message(Element, ports="0/0", runs=CONTROL):
    """prints a message when the router is configured

    Example:

        Message("eth1 has to be up", WARNING);
        FromDevice(eth0) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("MESSAGE", String(), "the text"),
        Optional("TYPE", Enum("MESSAGE", "WARNING", "ERROR"), "MESSAGE", "MESSAGE and WARNING print it on standard error, ERROR also keeps "
            "the router from running"),
    )

    def configure(self) -> None:
        if self.cfg.type == "ERROR":
            raise ArgError(self.cfg.message, argument="MESSAGE")
        warn(self, self.cfg.message, self.cfg.type.lower())
