from ._fibtable import MANUAL, FibTable


class LinearIPLookup(FibTable):
    __doc__ = MANUAL.format(
        name="LinearIPLookup",
        summary="looks up the next hop in a routing table of any size",
        about="It is the same as RadixIPLookup, not a linear search; Click's class is for small tables. SortedIPLookup, deprecated in\n"
        "    Click, is another name for it.",
    )
    aliases = ("SortedIPLookup",)
