from clickbpf.declare import Optional

from ._association import DES_KEYS, Key
from ._cipher import ENCRYPT, IGNORE, CipherElement


class IPsecDES(CipherElement):
    """encrypts or decrypts ESP packets by DES or 3DES

    Encrypts or decrypts all after the ESP header and its initialisation vector of 8 bytes, in cipher block chaining mode (RFC 2405,
    RFC 2451). Packets that are not a whole number of blocks are dropped.

    The key is KEY, or that of the association found by RadixIPsecLookup. A key of 24 bytes is for 3DES; of any other, DES uses the
    first eight bytes. DES has long been broken; it is here for compatibility with Click.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPsecESPEncap(0x1001, NEXT_HEADER ipip)
            -> IPsecDES(1, 0123456789abcdef, IGNORE 0) -> Discard;
    """

    args = (
        ENCRYPT,
        Optional("KEY", Key(*DES_KEYS), text="8 or 24 bytes, as data or hexadecimal digits"),
        IGNORE,
    )
    derived = {"block": ("__u32", lambda self: 8)}
