"""The mistakes of a configuration, of elements that can make any kind of them."""

from tests.graph.classes import library

from clickbpf.args.names import IP
from clickbpf.compile import check_text
from clickbpf.declare import MANAGES_DRIVER, ArgError, Element, IPAddress, NameGiver, Raw, Required, Rest, String
from clickbpf.errors import ClickError
from clickbpf.lang.config import split_words_at


class Receive(Element):
    """Receives from a device."""

    ports, processing = "0/1", "h"
    args = (Required("DEVICE", String()),)

    def receives_from(self):
        return self.cfg.device


class Decides(Element, ports="0/0", traits=MANAGES_DRIVER):
    """Decides when the driver stops."""


class AddressInfo(NameGiver):
    """Defines addresses, NAME ADDRESS."""

    ports = "0/0"
    args = (Rest("PAIR", Raw()),)

    def define_names(self, names):
        for index, pair in enumerate(self.cfg.pair):
            words = split_words_at(pair)
            if len(words) != 2:
                raise ArgError("expected NAME ADDRESS", argument="PAIR", index=index)
            (name, _), (address, offset) = words
            try:
                names.define(IP, self.name, name, IPAddress().parse(address, self.context))
            except ArgError as error:
                raise ArgError(error.message, error.hint, argument="PAIR", index=index, offset=offset) from None


LIBRARY = library()
LIBRARY.classes.update(Receive=Receive, AddressInfo=AddressInfo, Decides=Decides)


def mistakes(text, file="config", library=LIBRARY):
    """The ClickError's diagnostics, without warnings."""
    try:
        check_text(text, library, name=file)
    except ClickError as error:
        return [d for d in error.diagnostics if d.severity == "error"]
    return []
