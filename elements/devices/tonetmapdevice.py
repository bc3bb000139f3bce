from clickbpf.declare import KERNEL, USER, DeviceName, Integer, Keyword, Optional, Required, sum_handler

from ._dpdk import COMMON, WRITING, without_driver
from .todevice import ToDevice


class ToNetmapDevice(ToDevice, processing="a/h"):
    """sends packets to a network device, as FastClick does with netmap

    Sends packets, pushed or pulled, by a device; they must have their link header. Netmap isn't used: `netmap:eth0` is the device
    eth0. In user space a pushed packet is dropped if the device has no room. Sent packets leave by output 0, and packets that
    couldn't be sent by output 1, if these are connected.

    Example: FromNetmapDevice(netmap:eth0) -> ToNetmapDevice(netmap:eth1);
    """

    args = (
        Required("DEVNAME", DeviceName(), "The device, with or without `netmap:` before it"),
        Optional("QUEUE", Integer(32, low=-1), -1, "Accepted, without effect"),
        Keyword("BURST", Integer(32, low=1), 32, "Integer. The most packets to pull at a time"),
        *COMMON,
        *WRITING,
    )

    dropped = sum_handler("counters", "drops", text="packets that the device refused")

    def configure(self) -> None:
        self.runs = USER if self.noutputs else KERNEL

    def sends_to(self) -> str | None:
        return without_driver(self.cfg.devname)
