from __future__ import annotations

from ._fibtable import MANUAL, FibTable


class DirectIPLookup(FibTable):
    __doc__ = MANUAL.format(
        name="DirectIPLookup",
        summary="looks up the next hop in a routing table of any size",
        about="It is the same as RadixIPLookup: what makes Click's two tables different is not needed here.",
    )
