"""What Tee and PullTee have in common."""

from __future__ import annotations

from clickbpf.args import ArgError, Integer, Optional
from clickbpf.vocabulary.element import Element


class CopyingElement(Element):
    """One input, a copy of every packet for each output."""

    ports = "1/1-"
    args = (Optional("N", Integer()),)

    def configure(self) -> None:
        n, in_click = self.cfg.n, f"{self.noutputs} outputs implies {self.noutputs} arms"
        if n is not None and n > self.noutputs:
            raise self.unconnected("output", n, f"N is {n}", in_click)
        if n is not None and n < self.noutputs:
            message = f"output {self.noutputs - 1} is connected, but N is {n}"
            raise ArgError(message, "leave N out: the connected outputs decide", argument="N", in_click=in_click)
