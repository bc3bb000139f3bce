"""Types of ICMPv6 messages, by the names of the corresponding ICMP types if there are any."""

#: Errors (RFC 4443, 3) and the redirect (RFC 4861, 4.5).
ERRORS = {"unreachable": 1, "packettoobig": 2, "timeexceeded": 3, "parameterproblem": 4, "redirect": 137}

#: With those of RFC 4443, 4, and RFC 4861, 4.
TYPES = ERRORS | {
    "echo": 128,
    "echo-reply": 129,
    "routersolicit": 133,
    "routeradvert": 134,
    "neighborsolicit": 135,
    "neighboradvert": 136,
}
