"""The base of Tee and PullTee."""

from clickbpf.declare import ArgError, Element, Integer, Optional, unconnected


class CopyingElement(Element, ports="1/1-"):
    """An element with one input that copies every packet to all outputs."""

    args = (Optional("N", Integer(), text="the number of outputs; may be omitted, but must be correct"),)

    def configure(self) -> None:
        n, in_click = self.cfg.n, f"{self.noutputs} outputs implies {self.noutputs} arms"
        if n is not None and n > self.noutputs:
            raise unconnected(self, "output", n, f"N is {n}", in_click)
        if n is not None and n < self.noutputs:
            message = f"output {self.noutputs - 1} is connected, but N is {n}"
            raise ArgError(message, "leave N out: the connected outputs decide", argument="N", in_click=in_click)
