"""What classes with many ports have in common: the count of outputs as a constant, and handlers for each port."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from clickbpf.element import Element, Handler


class PortElement(Element):
    """C files of its classes find the number of outputs in `cfg.noutputs`."""

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"noutputs": ("int", str(self.noutputs))}


class HandlersOfPorts:
    """`handlers()` of a class whose instances have some handlers more, one for each port: active0, active1 and so on.

    `read(element, port)` and `write(element, port, text)` are the handlers of a port; there are as many as
    `count(element)`. The class by itself, which has no ports, has its other handlers only.
    """

    def __init__(self, name: str, count: Callable[[Any], int], read: Callable[[Any, int], str], write: Callable[[Any, int, str], None]):
        self.name, self.count, self.read, self.write = name, count, read, write

    def __get__(self, instance: Any, owner: type[Element]) -> Callable[[], dict[str, Handler]]:
        of_class = super(PortElement, owner).handlers
        if instance is None:
            return of_class
        return lambda: {**of_class(), **{f"{self.name}{port}": self._handler(port) for port in range(self.count(instance))}}

    def _handler(self, port: int) -> Handler:
        def read(element: Any) -> str:
            return self.read(element, port)

        def write(element: Any, text: str) -> None:
            self.write(element, port, text)

        return Handler(f"{self.name}{port}", read, write)
