"""SetIP6DSCP: how a packet wants to be treated."""

from __future__ import annotations

from ..ip.setipdscp import SetIPDSCP


class SetIP6DSCP(SetIPDSCP):
    """sets the DSCP field of IPv6 packets

    Synopsis: `SetIP6DSCP(DSCP)`

    The differentiated services code point (RFC 2474) is the upper 6 bits of the traffic class. A packet without a marked IPv6
    header (CheckIP6Header, MarkIP6Header) is dropped.

    Arguments:

      - DSCP: 0 to 63.

    Ports: one input, one output.

    Handlers:

      - `dscp` (read, write): the argument.

    Example: expedited forwarding:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> SetIP6DSCP(46) -> Discard;
    """
