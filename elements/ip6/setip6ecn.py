"""SetIP6ECN: whether a packet may be marked instead of dropped."""

from __future__ import annotations

from ..ip.setipecn import SetIPECN


class SetIP6ECN(SetIPECN):
    """sets the ECN field of IPv6 packets

    Synopsis: `SetIP6ECN(ECN)`

    The field for explicit congestion notification (RFC 3168) is the lower 2 bits of the traffic class. A packet without a
    marked IPv6 header (CheckIP6Header, MarkIP6Header) is dropped.

    Arguments:

      - ECN: 0 to 3, or in words `no` (or `-`), `ect1` (or `ECT(1)`), `ect2` (or `ECT(0)`), `ce` (or `CE`).

    Ports: one input, one output.

    Handlers:

      - `ecn` (read, write): the argument, as it was given.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> SetIP6ECN(ect2) -> Discard;
    """
