"""Handlers that some rewriters and mappers have."""

from __future__ import annotations

from collections.abc import Iterable

from clickbpf.element import Element, Handler, read_handler


class TableHandlers:
    """`table`, and Click's older name for it."""

    @read_handler("table")
    def read_table(self) -> str:
        return self.table()

    @read_handler
    def mappings(self) -> str:
        return self.table()


def add_handlers(element: Element, handlers: Iterable[Handler]) -> None:
    """Give an instance handlers of its own, besides its class's."""
    known = {**type(element).handlers(), **{handler.name: handler for handler in handlers}}
    element.handlers = lambda: known
