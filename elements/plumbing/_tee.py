"""What Tee and PullTee have in common."""

from __future__ import annotations

from clickbpf.args import ArgError, Integer, Optional
from clickbpf.vocabulary.element import Element


class CopyingElement(Element):
    """One input, a copy of every packet for each output."""

    ports = "1/1-"
    args = (Optional("N", Integer()),)

    def configure(self) -> None:
        if self.cfg.n not in (None, self.noutputs):
            raise ArgError(f"{self.noutputs} outputs implies {self.noutputs} arms", f"N is {self.cfg.n}", argument="N")
