from clickbpf.declare import Keyword, Optional

from ._association import AES_KEYS, Key
from ._blocks import BLOCK, check_block
from ._cipher import ENCRYPT, IGNORE, CipherElement


class IPsecAES(CipherElement):
    """encrypts or decrypts ESP packets by AES

    Encrypts or decrypts all after the ESP header and its initialisation vector. The key is KEY, or that of the association found by
    RadixIPsecLookup: 16, 24 or 32 bytes.

    BLOCK 16 selects AES in cipher block chaining mode, as in other implementations (RFC 3602). The default is Click's own mode: the
    vector has 8 bytes, and is mixed with only the first half of a block, as is the first half of each encrypted block with the
    next; an incomplete block is completed with 8 bytes of the digest after it.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPsecESPEncap(0x1001, 16, NEXT_HEADER ipip)
            -> IPsecAES(1, 000102030405060708090a0b0c0d0e0f, 0, BLOCK 16) -> Discard;
    """

    args = (
        ENCRYPT,
        Optional("KEY", Key(*AES_KEYS), text="16, 24 or 32 bytes, as data or hexadecimal digits"),
        IGNORE,
        Keyword("BLOCK", BLOCK, 8, "16 for cipher block chaining, 8 for Click's mode. Default 8. IPsecESPEncap and IPsecESPUnencap need "
            "the same BLOCK"),
    )

    def configure(self) -> None:
        check_block(self.cfg)
