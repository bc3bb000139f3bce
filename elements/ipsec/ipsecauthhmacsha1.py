from __future__ import annotations

from clickbpf.args import Optional

from ._association import DIGEST_KEYS, Association, Key
from ._digest import DigestElement


class IPsecAuthHMACSHA1(DigestElement):
    """puts an HMAC-SHA1 digest after packets, or checks it

    Synopsis: `IPsecAuthHMACSHA1(VERIFY [, KEY])`

    The digest is HMAC-SHA1-96: the first 12 bytes of HMAC-SHA1 over the packet (RFC 2404), which without the key nobody
    can make. The key is KEY, or that of the association that RadixIPsecLookup has found.

    Arguments:

      - VERIFY: 0 to put a digest after packets; 1 to check it and take it away. Packets with a wrong one leave by
        output 1, or are dropped (UNAUTHENTIC) if it is not there; so are those too short to have one (MALFORMED).
      - KEY: 16, 20, 32 or 64 bytes, as data or hexadecimal digits. RFC 2404 requires 20; Click has 16.

    Ports: one input, one or two outputs.

    Handlers:

      - `drops` (read): packets with a wrong digest.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> StripIPHeader
            -> auth :: IPsecAuthHMACSHA1(1, 000102030405060708090a0b0c0d0e0f10111213) -> Discard;
        auth[1] -> Print(forged) -> Discard;
    """

    args = (*DigestElement.args, Optional("KEY", Key(*DIGEST_KEYS)))

    def own_association(self) -> Association | None:
        return Association(1, digest_key=self.cfg.key) if self.cfg.key else None
