from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import ArgError, Bool, Keyword, Optional, Time
from clickbpf.vocabulary.annotations import CARRIED
from clickbpf.vocabulary.element import Element


class SetTimestamp(Element):
    """sets packets' timestamp

    Synopsis: `SetTimestamp([TIMESTAMP, FIRST ...])`

    Packets from devices have the time of their arrival as their timestamp. In the kernel the time of day is CLOCK_TAI less the leap
    seconds that Linux had been informed of when the router was loaded.

    Arguments:

      - TIMESTAMP: the time, in seconds since 1970. Default: the time at which the packet gets here.
      - FIRST: true to set the annotation FIRST_TIMESTAMP, and not the timestamp. Default false.

    Ports: one input, one output.

    Example: how long do packets wait in the queue?

        FromDevice(eth0) -> SetTimestamp -> Queue -> SetTimestampDelta(TYPE NOW) -> Print(TIMESTAMP true) -> ToDevice(eth1);
    """

    bears_offloads = True
    args = (Optional("TIMESTAMP", Time()), Keyword("FIRST", Bool(), False), Keyword("DELTA", Bool(), False))
    weight = 10

    def configure(self) -> None:
        if self.cfg.delta:
            raise ArgError("SetTimestamp(DELTA) is deprecated, use SetTimestampDelta(TYPE FIRST)", argument="DELTA")
        self.fixed = self.cfg.timestamp is not None
        self.cfg.timestamp = self.cfg.timestamp or 0

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"fixed": ("bool", Bool().c_value(self.fixed))}

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return (CARRIED["FIRST_TIMESTAMP" if self.cfg.first else "TIMESTAMP"],)
