from ._fibtable import MANUAL
from ._hashedtable import HashedTable


class DirectIPLookup(HashedTable):
    __doc__ = MANUAL.format(
        name="DirectIPLookup",
        summary="looks up the next hop in a routing table of any size",
        about="It is the same as RadixIPLookup, and only lists the routes in another order, Click's: what else makes Click's two tables\n"
        "    different is not needed here.",
    )
