from __future__ import annotations

from ._fibtable import MANUAL, FibTable


class RangeIPLookup(FibTable):
    __doc__ = MANUAL.format(
        name="RangeIPLookup",
        summary="looks up the next hop in a routing table of any size",
        about="It is the same as RadixIPLookup: what makes the tables of Click different is not needed here.",
    )
