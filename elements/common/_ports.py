"""What classes with many ports have in common: the count of outputs as a constant."""

from __future__ import annotations

from collections.abc import Mapping

from clickbpf.vocabulary.element import Element


class PortElement(Element):
    """C files of its classes find the number of outputs in `cfg.noutputs`."""

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"noutputs": ("int", str(self.noutputs))}
