from clickbpf.declare import Constants, Optional

from ._association import DES_KEYS, Key
from ._cipher import ENCRYPT, IGNORE, CipherElement


class IPsecDES(CipherElement):
    """encrypts or decrypts ESP packets by DES or 3DES

    What follows the ESP header and its initialisation vector of 8 bytes is encrypted or decrypted in cipher block
    chaining mode (RFC 2405, RFC 2451). Packets whose length does not fit are dropped.

    The key is KEY or that of the association that RadixIPsecLookup has found. With 24 bytes it is for 3DES; of others
    DES takes the first eight. DES has been broken for long; it is here because Click has it.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPsecESPEncap(0x1001, NEXT_HEADER ipip)
            -> IPsecDES(1, 0123456789abcdef, IGNORE 0) -> Discard;
    """

    args = (
        ENCRYPT,
        Optional("KEY", Key(*DES_KEYS), text="8 or 24 bytes, as data or hexadecimal digits"),
        IGNORE,
    )

    def constants(self) -> Constants:
        return {"block": ("__u32", "8")}
