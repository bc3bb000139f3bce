from __future__ import annotations

from pathlib import Path

from clickbpf.args import DeviceName, Integer, Keyword, Optional, Required
from clickbpf.vocabulary.element import KERNEL, USER, sum_handler

from ._dpdk import COMMON, WRITING, without_driver
from .todevice import ToDevice


class ToNetmapDevice(ToDevice):
    """sends packets to a network device, as FastClick does with netmap

    Synopsis: `ToNetmapDevice(DEVNAME [, QUEUE, KEYWORD ...])`

    Sends the packets that are pushed at it, or that it pulls, out of a device; they must have their link header. Netmap isn't
    used: `netmap:eth0` is the device eth0. In user space a pushed packet that the device has no room for is dropped. Packets that
    were sent leave by output 0 and those that couldn't be by output 1, if these are connected.

    Arguments:

      - DEVNAME: The device, with `netmap:` before it or without.
      - BURST: Integer. Most packets to pull in one go. Default is 32.
      - QUEUE, N_QUEUES, MAXTHREADS, IQUEUE, BLOCKING, VERBOSE, ACTIVE, ALLOW_NONEXISTENT: Accepted, of no effect.

    Handlers: `count`, packets sent; `drops` and `dropped`, packets that weren't; `reset_counts`.

    Example:

        FromNetmapDevice(netmap:eth0) -> ToNetmapDevice(netmap:eth1);
    """

    processing = "a/h"
    args = (
        Required("DEVNAME", DeviceName()),
        Optional("QUEUE", Integer(32, low=-1), -1),
        Keyword("BURST", Integer(32, low=1), 32),
        *COMMON,
        *WRITING,
    )

    dropped = sum_handler("counters", "drops")

    def configure(self) -> None:
        self.runs = USER if self.noutputs else KERNEL

    def sends_to(self) -> str | None:
        return without_driver(self.cfg.devname)

    @classmethod
    def c_source(cls) -> Path | None:
        return ToDevice.c_source()
