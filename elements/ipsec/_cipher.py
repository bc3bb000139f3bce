"""What IPsecAES and IPsecDES have in common."""

from clickbpf.declare import Bool, Integer, Optional, Required

from ._association import Association, SecurityElement

ENCRYPT = Required("ENCRYPT", Bool(), "1 to encrypt, 0 to decrypt")
IGNORE = Optional("IGNORE", Integer(16), 12, "bytes at the packet's end that are left as they are. Default 12, a digest that is there "
    "already. For ESP as other implementations have it say 0, and put IPsecAuthHMACSHA1 after encryption and before decryption")


class CipherElement(SecurityElement):
    """Encrypts or decrypts by KEY, or by the key of an association."""

    @property
    def seals(self) -> bool:
        return self.cfg.encrypt

    def own_association(self) -> Association | None:
        return Association(1, cipher_key=self.cfg.key) if self.cfg.key else None
