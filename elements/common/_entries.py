"""The base of classes that hold information: they see no packets, and take a list of entries."""

from collections.abc import Iterator

from clickbpf.declare import CONTROL, ArgError, Element, NameGiver, Names, Raw, Rest


class InformationElement(Element, ports="0/0", runs=CONTROL):
    """Base of classes whose arguments are entries of a special form."""

    args = (Rest("ENTRY", Raw()),)

    def each_entry(self, read) -> None:
        """Call `read(text)` for each entry; it yields mistakes, or raises an ArgError. All mistakes are reported together."""
        errors: list[ArgError] = []
        for index, text in enumerate(self.cfg.entry):
            errors += [ArgError(e.message, e.hint, argument="ENTRY", index=index, offset=e.offset) for e in _mistakes(read, text)]
        if errors:
            raise ExceptionGroup("entries", errors)


class NamingElement(NameGiver, InformationElement):
    """Base of those whose entries define names: `_define(text)` yields mistakes."""

    def define_names(self, names: Names) -> None:
        self._names = names
        self.each_entry(self._define)


def _mistakes(read, text: str) -> Iterator[ArgError]:
    try:
        yield from read(text) or ()
    except ArgError as error:
        yield error
