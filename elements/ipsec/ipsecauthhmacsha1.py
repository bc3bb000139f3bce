from clickbpf.declare import Optional

from ._association import DIGEST_KEYS, Association, Key
from ._digest import DigestElement


class IPsecAuthHMACSHA1(DigestElement):
    """puts an HMAC-SHA1 digest after packets, or checks it

    The digest is HMAC-SHA1-96: the first 12 bytes of HMAC-SHA1 over the packet (RFC 2404). It can't be forged without the key, KEY
    or that of the association found by RadixIPsecLookup.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> StripIPHeader
            -> auth :: IPsecAuthHMACSHA1(1, 000102030405060708090a0b0c0d0e0f10111213) -> Discard;
        auth[1] -> Print(forged) -> Discard;
    """

    args = (
        *DigestElement.args,
        Optional("KEY", Key(*DIGEST_KEYS), text="16, 20, 32 or 64 bytes, as data or hexadecimal digits. RFC 2404 requires 20; Click uses "
            "16"),
    )

    def own_association(self) -> Association | None:
        return Association(1, digest_key=self.cfg.key) if self.cfg.key else None
