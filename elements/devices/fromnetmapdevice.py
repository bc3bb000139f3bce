from clickbpf.declare import (
    BEARS_OFFLOADS, FRAME, PROMISCUOUS, AlignmentRule, Bool, CountsDrops, DeviceName, Integer, Optional, Required,
)

from ._dpdk import COMMON, READING, RECEIVING, DrivenDevice, accepted, refuse_work, without_driver


class FromNetmapDevice(CountsDrops, DrivenDevice, ports="0/1", processing="h", traits=BEARS_OFFLOADS):
    """reads packets from a network device, as FastClick does with netmap

    Takes all packets that a device receives, before Linux sees them, and pushes them to output 0, as FromDevice does. Netmap isn't
    used: `netmap:eth0` is the device eth0.

    Handlers: `count`, packets received; `hw_dropped`, packets lost because the runtime was too slow; `reset_counts`.

    Example: FromNetmapDevice(netmap:eth0) -> ToNetmapDevice(netmap:eth1);
    """

    alignment = AlignmentRule(gives=FRAME)
    args = (
        Required("DEVNAME", DeviceName(), "The device, with or without `netmap:` before it"),
        Optional("QUEUE", Integer(32, low=-1), -1, "Integer. Must be 0 or left out: packets of all queues are read"),
        Optional("PROMISC", Bool(), False, "Boolean. Put the device into promiscuous mode"),
        *RECEIVING,
        *COMMON,
        *READING,
        *accepted("BURST KEEPHAND"),
    )
    drop_handlers = {"hw_dropped": "OVERRUN"}
    #: Its C file is FromDPDKDevice's.
    derived = {"rss_aggregate": ("bool", lambda self: False)}

    def configure(self) -> None:
        refuse_work(self.cfg, RECEIVING)
        if self.cfg.promisc:
            self.traits |= PROMISCUOUS

    def receives_from(self) -> str | None:
        return without_driver(self.cfg.devname)
