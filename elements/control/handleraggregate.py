import re

from clickbpf.declare import USER, ArgError, Element, ElementRef, HandlerName, Rest, Right, read_handler, shift_word, write_handler

_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


class HandlerAggregate(Element, ports="0/0", runs=USER):
    """calls handlers of several elements

    A class of FastClick.

    Handlers whose callers need a right, such as handlers that show secrets, can't be read.

    Example: the packets of both devices, as `clickbpf run` or a script reads them by `both.add count`:

        FromDevice(eth0) -> c0 :: Counter -> Discard;
        FromDevice(eth1) -> c1 :: Counter -> Discard;
        both :: HandlerAggregate(c0, c1);
        Script(wait 1s, print $(both.add count), write both.write reset);
    """

    args = (Rest("ELEMENT", ElementRef(), least=1, named=True, text="the name of an element; `ELEMENT c0` is the same as `c0`"),)

    @read_handler
    def add(self, text: str) -> str:
        """given the name of a read handler, the sum of its values for all elements. A value counts as the number it begins with, or
        else as 0.
        """
        return f"{self._sum(text):.12g}"

    @read_handler
    def avg(self, text: str) -> str:
        """the same divided by the number of elements."""
        return f"{self._sum(text) / len(self.cfg.element):.12g}"

    @write_handler("write", needs=Right.CALLS)
    def write_all(self, text: str) -> None:
        """given the name of a write handler and a value, writes it to all elements."""
        handler, value = shift_word(text.strip())
        self._named(handler)
        for name in self.cfg.element:
            self._runtime().write(HandlerName(name, handler, value))

    def _sum(self, text: str) -> float:
        handler = self._named(text.strip())
        found = (_NUMBER.match(self._read(name, handler)) for name in self.cfg.element)
        return sum(float(match[0]) for match in found if match)

    def _read(self, name: str, handler: str) -> str:
        """The value of a handler whose callers need no right."""
        handlers = self._runtime().handlers
        if needed := handlers.readable(name, handler).read_needs:
            raise ArgError(f"'{name}.{handler}' {needed.value}", "read it by itself")
        return handlers.read(name, handler, hidden=True)

    @staticmethod
    def _named(handler: str) -> str:
        if not handler or " " in handler:
            raise ArgError("expected the name of a handler", "as in 'count'")
        return handler

    def _runtime(self):
        if self.runtime is None:
            raise ArgError("the router's runtime isn't in this process", "only it can call other handlers")
        return self.runtime
