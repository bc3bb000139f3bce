from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from clickbpf.args import Bool, DeviceName, Integer, Optional, Required
from clickbpf.vocabulary.alignment import FRAME, AlignmentRule

from ._dpdk import COMMON, READING, RECEIVING, DrivenDevice, accepted, refuse_work, without_driver
from .fromdpdkdevice import FromDPDKDevice


class FromNetmapDevice(DrivenDevice):
    """reads packets from a network device, as FastClick does with netmap

    Synopsis: `FromNetmapDevice(DEVNAME [, QUEUE, PROMISC, KEYWORD ...])`

    Takes all packets that a device receives, before Linux sees them, and pushes them out of output 0, as FromDevice does. Netmap isn't
    used: `netmap:eth0` is the device eth0.

    Arguments:

      - DEVNAME: The device, with `netmap:` before it or without.
      - QUEUE: Integer. Must be 0 or left out: packets of all queues are read.
      - PROMISC: Boolean. Put the device into promiscuous mode. Default is false.
      - VLAN_FILTER, VLAN_STRIP, VLAN_EXTEND, LRO: Booleans. Must be false, which is the default.
      - N_QUEUES, MAXTHREADS, THREADOFFSET, NUMA, NUMA_NODE, SCALE, BURST, KEEPHAND, JUMBO, VERBOSE, ACTIVE, ALLOW_NONEXISTENT:
        Accepted, of no effect.

    Handlers: `count`, the packets received; `hw_dropped`, those lost because the runtime took them too slowly; `reset_counts`.

    Example:

        FromNetmapDevice(netmap:eth0) -> ToNetmapDevice(netmap:eth1);
    """

    alignment = AlignmentRule(gives=FRAME)
    bears_offloads = True
    ports = "0/1"
    processing = "h"
    args = (
        Required("DEVNAME", DeviceName()),
        Optional("QUEUE", Integer(32, low=-1), -1),
        Optional("PROMISC", Bool(), False),
        *RECEIVING,
        *COMMON,
        *READING,
        *accepted("BURST KEEPHAND"),
    )
    drop_handlers = {"hw_dropped": "OVERRUN"}
    weight = 30

    def configure(self) -> None:
        refuse_work(self.cfg, RECEIVING)

    def constants(self) -> Mapping[str, tuple[str, str]]:
        """What the C file, FromDPDKDevice's, asks for besides arguments."""
        return {"rss_aggregate": ("bool", "false")}

    @property
    def promiscuous(self) -> bool:
        return self.cfg.promisc

    def receives_from(self) -> str | None:
        return without_driver(self.cfg.devname)

    @classmethod
    def c_source(cls) -> Path | None:
        return FromDPDKDevice.c_source()
