"""The base of IPsecAuthHMACSHA1 and IPsecAuthSHA1."""

from clickbpf.declare import Bool, PerThread, Required, sum_handler, u64

from ._association import SecurityElement


class DigestElement(SecurityElement, ports="1/1-2", processing="a/ah"):
    args = (
        Required("VERIFY", Bool(), "0 to append a digest to packets; 1 to check and remove it. Packets with a wrong digest leave by "
            "output 1, or are dropped (UNAUTHENTIC) if there is no output 1; so do packets too short for a digest (MALFORMED)"),
    )
    state_types = {**SecurityElement.state_types, "counters": PerThread(drops=u64)}

    drops = sum_handler("counters", text="packets with a wrong digest")

    @property
    def seals(self) -> bool:
        return not self.cfg.verify
