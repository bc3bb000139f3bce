"""Handlers that some rewriters and mappers have."""

from clickbpf.declare import read_handler


class TableHandlers:
    """`table`, and Click's older name for it."""

    @read_handler("table")
    def read_table(self) -> str:
        """a line for each direction of a flow: what packets have and get, both outputs, this direction's starred, the input that made it,
        and the seconds until its time is over. `mappings` is an older name.
        """
        return self.table()

    mappings = read_handler(lambda self: self.table())
