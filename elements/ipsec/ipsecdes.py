from clickbpf.declare import Bool, Constants, Integer, Optional, Required

from ._association import DES_KEYS, Association, Key, SecurityElement


class IPsecDES(SecurityElement):
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
        Required("ENCRYPT", Bool(), "1 to encrypt, 0 to decrypt"),
        Optional("KEY", Key(*DES_KEYS), text="8 or 24 bytes, as data or hexadecimal digits"),
        Optional("IGNORE", Integer(16), 12, "bytes at the packet's end that are left as they are. Default 12, a digest that is there "
            "already. For ESP as other implementations have it say 0, and put IPsecAuthHMACSHA1 after encryption and before decryption"),
    )

    def constants(self) -> Constants:
        return {"block": ("__u32", "8")}

    @property
    def seals(self) -> bool:
        return self.cfg.encrypt

    def own_association(self) -> Association | None:
        return Association(1, cipher_key=self.cfg.key) if self.cfg.key else None
