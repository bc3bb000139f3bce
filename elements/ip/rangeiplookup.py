from ._fibtable import MANUAL
from ._hashedtable import HashedTable


class RangeIPLookup(HashedTable):
    __doc__ = MANUAL.format(
        name="RangeIPLookup",
        summary="looks up the next hop in a routing table of any size",
        about="It is the same as RadixIPLookup, and only lists the routes in another order, Click's: what else makes the tables of Click\n"
        "    different is not needed here.",
    )
