from __future__ import annotations

from ._digest import DigestElement


class IPsecAuthSHA1(DigestElement):
    """puts an SHA1 digest after packets, or checks it

    Synopsis: `IPsecAuthSHA1(VERIFY)`

    The digest is the first 12 bytes of SHA1 over the packet. There is no key in it: it detects errors, but anybody can
    make it. IPsecAuthHMACSHA1 is the one for security.

    Arguments:

      - VERIFY: 0 to put a digest after packets; 1 to check it and take it away. Packets with a wrong one leave by
        output 1, or are dropped (UNAUTHENTIC) if it is not there; so are those too short to have one (MALFORMED).

    Ports: one input, one or two outputs.

    Handlers:

      - `drops` (read): packets with a wrong digest.

    Example:

        FromDevice(eth0) -> IPsecAuthSHA1(0) -> Queue -> ToDevice(eth1);
    """
