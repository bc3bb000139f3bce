from clickbpf.declare import Bool, Integer, Keyword, Optional, Required

from ._association import AES_KEYS, Association, Key, SecurityElement
from ._blocks import BLOCK, check_block


class IPsecAES(SecurityElement):
    """encrypts or decrypts ESP packets by AES

    What follows the ESP header and its initialisation vector is encrypted or decrypted. The key is KEY, or that of the
    association that RadixIPsecLookup has found: 16, 24 or 32 bytes.

    With BLOCK 16 that is AES in cipher block chaining mode, as other implementations have it (RFC 3602). Without, it is
    what Click does: the vector has 8 bytes and is mixed with only the first half of a block, as is the first half of
    each encrypted block with the next; and what doesn't fill a block is filled up by 8 bytes of the digest after it.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPsecESPEncap(0x1001, 16, NEXT_HEADER ipip)
            -> IPsecAES(1, 000102030405060708090a0b0c0d0e0f, 0, BLOCK 16) -> Discard;
    """

    args = (
        Required("ENCRYPT", Bool(), "1 to encrypt, 0 to decrypt"),
        Optional("KEY", Key(*AES_KEYS), text="16, 24 or 32 bytes, as data or hexadecimal digits"),
        Optional("IGNORE", Integer(16), 12, "bytes at the packet's end that are left as they are. Default 12, a digest that is there "
            "already. For ESP as other implementations have it say 0, and put IPsecAuthHMACSHA1 after encryption and before decryption"),
        Keyword("BLOCK", BLOCK, 8, "16 for cipher block chaining, 8 for Click's way. Default 8. IPsecESPEncap and IPsecESPUnencap need the "
            "same"),
    )

    def configure(self) -> None:
        check_block(self.cfg)

    @property
    def seals(self) -> bool:
        return self.cfg.encrypt

    def own_association(self) -> Association | None:
        return Association(1, cipher_key=self.cfg.key) if self.cfg.key else None
