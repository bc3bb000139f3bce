"""Tee: the same packet everywhere."""

from __future__ import annotations

from clickbpf.element import PUSH

from ._tee import CopyingElement


class Tee(CopyingElement):
    """sends a copy of each packet to every output

    Synopsis: `Tee([N])`

    A packet goes to output 0 first. Copies carry the packet's annotations.

    Arguments:

      - N: how many outputs there are; it may be left out, but must be right.

    Ports: one push input, one or more push outputs.

    Example:

        FromDevice(eth0) -> tee :: Tee(2);
        tee[0] -> Queue -> ToDevice(eth1);
        tee[1] -> Queue -> ToDevice(eth2);
    """

    processing = PUSH
    spare_ports = "outputs"
