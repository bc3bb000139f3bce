"""The drop reasons, in the one table from which the C enumeration and the handlers' names are made."""

REASONS = {
    "DISCARDED": "an element that drops on purpose, such as Discard",
    "UNCONNECTED": "it left by an output that is not connected",
    "MALFORMED": "shorter than its headers say, or with a header no element can use",
    "UNMARKED": "its IP header isn't marked: put CheckIPHeader before the element, or CheckIP6Header",
    "BAD_CHECKSUM": "a checksum does not match",
    "NO_ROUTE": "no route to its destination",
    "FILTERED": "an element's rule said so",
    "NO_ASSOCIATION": "no IPsec security association for it",
    "UNAUTHENTIC": "the digest that should prove its sender does not match",
    "REPLAYED": "a sequence number that was seen before, or is too old to know",
    "LIMITED": "more of its kind in a second than the configuration permits",
    "EXPIRED": "its TTL or its time in the router was used up",
    "FULL": "a queue or table had no room",
    "NO_MEMORY": "no memory for a packet",
    "NO_RUNTIME": "handed over to the user-space runtime, but none is listening",
    "OVERRUN": "the user-space runtime was handed packets faster than it takes them",
    "NO_HEADROOM": "no room in front of the packet for a header",
    "TAIL_CALL": "a program of a chain found no packet to go on with",
    "MISSED_LOOK": "not dropped, but not looked at either: the runtime was shown packets faster than it looks at them",
    "ENDED": "it waited in a router that ended, or was replaced by one without an element that could keep it",
    "DEVICE": "the device it should leave by refused it or is missing",
    "TRANSMIT": "its device did not transmit it: down, without room, or with a far end that takes no frames",
    "FORMER": "an element that a hot swap has removed had dropped it; it stood after this one in the configuration",
}


#: The result of an action that drops a packet for the first reason; further reasons have lower results.
FIRST_RESULT = -16


def c_enum() -> str:
    """The C enumeration, DROP_DISCARDED = 0 and so on, and a macro for the result of an action that drops for a reason."""
    rows = "".join(f"\tDROP_{name},\t/* {text} */\n" for name, text in REASONS.items())
    return f"enum drop_reason {{\n{rows}\tDROP_REASONS,\n}};\n#define DROP_RESULT(reason) ({FIRST_RESULT} - (reason))\n"
