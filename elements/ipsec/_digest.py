"""What IPsecAuthHMACSHA1 and IPsecAuthSHA1 have in common."""

from clickbpf.declare import Bool, PerThread, Required, sum_handler, u64

from ._association import SecurityElement


class DigestElement(SecurityElement, ports="1/1-2", processing="a/ah"):
    args = (
        Required("VERIFY", Bool(), "0 to put a digest after packets; 1 to check it and take it away. Packets with a wrong one leave by "
            "output 1, or are dropped (UNAUTHENTIC) if it is not there; so are those too short to have one (MALFORMED)"),
    )
    state_types = {**SecurityElement.state_types, "counters": PerThread(drops=u64)}

    drops = sum_handler("counters", text="packets with a wrong digest")

    @property
    def seals(self) -> bool:
        return not self.cfg.verify
