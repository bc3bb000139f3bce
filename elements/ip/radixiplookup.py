from ._fibtable import MANUAL, FibTable


class RadixIPLookup(FibTable):
    __doc__ = MANUAL.format(
        name="RadixIPLookup",
        summary="looks up the next hop in a routing table of any size",
        about="This is the class for routes that change, and for many routes. LookupIPRoute2 is its name in early versions of Click.",
    )
    aliases = ("LookupIPRoute2",)
