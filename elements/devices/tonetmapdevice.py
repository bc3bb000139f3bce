from clickbpf.declare import KERNEL, USER, DeviceName, Integer, Keyword, Optional, Required, sum_handler

from ._dpdk import COMMON, WRITING, without_driver
from .todevice import ToDevice


class ToNetmapDevice(ToDevice, processing="a/h"):
    """sends packets to a network device, as FastClick does with netmap

    Sends the packets that are pushed at it, or that it pulls, out of a device; they must have their link header. Netmap isn't
    used: `netmap:eth0` is the device eth0. In user space a pushed packet that the device has no room for is dropped. Packets that
    were sent leave by output 0 and those that couldn't be by output 1, if these are connected.

    Arguments:

      - QUEUE, N_QUEUES, MAXTHREADS, IQUEUE, BLOCKING, VERBOSE, ACTIVE, ALLOW_NONEXISTENT: Accepted, of no effect.

    Example:

        FromNetmapDevice(netmap:eth0) -> ToNetmapDevice(netmap:eth1);
    """

    args = (
        Required("DEVNAME", DeviceName(), "The device, with `netmap:` before it or without"),
        Optional("QUEUE", Integer(32, low=-1), -1),
        Keyword("BURST", Integer(32, low=1), 32, "Integer. Most packets to pull in one go"),
        *COMMON,
        *WRITING,
    )

    dropped = sum_handler("counters", "drops", text="packets that the device refused")

    def configure(self) -> None:
        self.runs = USER if self.noutputs else KERNEL

    def sends_to(self) -> str | None:
        return without_driver(self.cfg.devname)
