from ._fibtable import MANUAL, FibTable


class LinearIPLookup(FibTable):
    __doc__ = MANUAL.format(
        name="LinearIPLookup",
        summary="looks up the next hop in a routing table of any size",
        about="It is the same as RadixIPLookup, and not linear: Click has it for small tables. SortedIPLookup, which Click\n"
        "    deprecates, is another name of it.",
    )
    aliases = ("SortedIPLookup",)
