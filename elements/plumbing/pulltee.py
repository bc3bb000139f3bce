"""PullTee: whoever pulls shares with others."""

from __future__ import annotations

from clickbpf.vocabulary.element import USER

from ._tee import CopyingElement


class PullTee(CopyingElement):
    """pushes a copy of each pulled packet to further outputs

    Synopsis: `PullTee([N])`

    When output 0 is pulled, a packet is pulled from the input, copies of it are pushed to all other outputs, and then it
    is handed on.

    Arguments:

      - N: how many outputs there are; it may be left out, but must be right.

    Ports: one pull input; output 0 is pull, all others are push.

    Example:

        FromDevice(eth0) -> Queue -> tee :: PullTee -> ToDevice(eth1);
        tee[1] -> Print(sent) -> Discard;
    """

    runs = USER
    processing = "l/lh"
    spare_ports = "outputs"
