"""Handlers of some rewriters and mappers."""

from clickbpf.declare import read_handler


class TableHandlers:
    """`table`, and Click's older name for it."""

    @read_handler("table")
    def read_table(self) -> str:
        """a line for each direction of a flow: the packets' fields before and after, both outputs, this direction's starred, the
        input that made it, and the seconds until it expires. `mappings` is an older name.
        """
        return self.table()

    mappings = read_handler(lambda self: self.table())
