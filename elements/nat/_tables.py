"""Handlers that some rewriters and mappers have."""

from __future__ import annotations

from clickbpf.vocabulary.element import read_handler


class TableHandlers:
    """`table`, and Click's older name for it."""

    @read_handler("table")
    def read_table(self) -> str:
        return self.table()

    @read_handler
    def mappings(self) -> str:
        return self.table()
