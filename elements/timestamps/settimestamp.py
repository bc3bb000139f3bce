"""SetTimestamp: what the time is."""

from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import ArgError, Bool, Keyword, Optional, Time
from clickbpf.vocabulary.annotations import ANNOTATIONS
from clickbpf.vocabulary.element import KERNEL, USER, Element


class SetTimestamp(Element):
    """sets packets' timestamp

    Synopsis: `SetTimestamp([TIMESTAMP, FIRST ...])`

    Packets from devices have the time of their arrival as their timestamp. Only the runtime keeps timestamps and knows the
    time of day, so the element runs in user space, but for SetTimestamp(TIMESTAMP, FIRST true).

    Arguments:

      - TIMESTAMP: the time, in seconds since 1970. Default: the time at which the packet gets here.
      - FIRST: true to set the annotation FIRST_TIMESTAMP, and not the timestamp. Default false.

    Ports: one input, one output.

    Example: how long do packets wait in the queue?

        FromDevice(eth0) -> SetTimestamp -> Queue -> SetTimestampDelta(TYPE NOW) -> Print(TIMESTAMP true) -> ToDevice(eth1);
    """

    runs = USER
    args = (Optional("TIMESTAMP", Time()), Keyword("FIRST", Bool(), False), Keyword("DELTA", Bool(), False))
    weight = 10

    def configure(self) -> None:
        if self.cfg.delta:
            raise ArgError("SetTimestamp(DELTA) is deprecated, use SetTimestampDelta(TYPE FIRST)", argument="DELTA")
        self.fixed = self.cfg.timestamp is not None
        self.cfg.timestamp = self.cfg.timestamp or 0
        if self.cfg.first and self.fixed:
            self.runs = KERNEL

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"fixed": ("bool", Bool().c_value(self.fixed))}

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return (ANNOTATIONS["FIRST_TIMESTAMP"],) if self.cfg.first else ()
