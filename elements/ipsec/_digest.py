"""What IPsecAuthHMACSHA1 and IPsecAuthSHA1 have in common."""

from __future__ import annotations

from clickbpf.args import Bool, Required
from clickbpf.vocabulary.element import sum_handler
from clickbpf.vocabulary.state import PerThread, u64

from ._association import SecurityElement


class DigestElement(SecurityElement):
    ports = "1/1-2"
    processing = "a/ah"
    entries = ("init", "cleanup")
    args = (Required("VERIFY", Bool()),)
    state_types = {**SecurityElement.state_types, "counters": PerThread(drops=u64)}

    drops = sum_handler("counters")

    @property
    def seals(self) -> bool:
        return not self.cfg.verify
