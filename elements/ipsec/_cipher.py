"""The base of IPsecAES and IPsecDES."""

from clickbpf.declare import Bool, Integer, Optional, Required

from ._association import Association, SecurityElement

ENCRYPT = Required("ENCRYPT", Bool(), "1 to encrypt, 0 to decrypt")
IGNORE = Optional("IGNORE", Integer(16), 12, "bytes to leave unchanged at the packet's end. Default 12, for a digest already there. For "
    "ESP as in other implementations use 0, with IPsecAuthHMACSHA1 after encryption and before decryption")


class CipherElement(SecurityElement):
    """Encrypts or decrypts with KEY, or with the key of an association."""

    @property
    def seals(self) -> bool:
        return self.cfg.encrypt

    def own_association(self) -> Association | None:
        return Association(1, cipher_key=self.cfg.key) if self.cfg.key else None
