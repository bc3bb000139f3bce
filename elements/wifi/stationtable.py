from clickbpf.declare import CONTROL, Bool, Element, read_handler, write_handler


class StationTable(Element, ports="0/0", runs=CONTROL):
    """a place for stations, which stays empty

    As in Click, no element puts a station into it. AvailableRates is the table that elements use.

    Example: StationTable;
    """

    _debug = False

    @read_handler
    def debug(self) -> str:
        """Boolean, initially false. Without effect."""
        return f"{Bool().unparse(self._debug)}\n"

    @write_handler("debug")
    def write_debug(self, text: str) -> None:
        self._debug = Bool().parse(text.strip())
