from __future__ import annotations

from clickbpf.args import Bool
from clickbpf.vocabulary.element import CONTROL, Element, read_handler, write_handler


class StationTable(Element):
    """a place for stations, which stays empty

    Synopsis: `StationTable`

    As in Click, no element puts a station into it. AvailableRates is the table that elements use.

    Ports: none.

    Handlers:

      - `debug` (read, write): Boolean, false at first. Means nothing.

    Example:

        StationTable;
    """

    ports = "0/0"
    runs = CONTROL
    _debug = False

    @read_handler
    def debug(self) -> str:
        return f"{Bool().unparse(self._debug)}\n"

    @write_handler("debug")
    def write_debug(self, text: str) -> None:
        self._debug = Bool().parse(text.strip())
