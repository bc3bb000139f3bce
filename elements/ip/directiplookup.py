from ._fibtable import MANUAL
from ._hashedtable import HashedTable


class DirectIPLookup(HashedTable):
    __doc__ = MANUAL.format(
        name="DirectIPLookup",
        summary="looks up the next hop in a routing table of any size",
        about="It is the same as RadixIPLookup, except that it lists routes in the order of Click's DirectIPLookup. The other differences\n"
        "    between Click's two tables don't exist here.",
    )
