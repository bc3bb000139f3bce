from __future__ import annotations

from clickbpf.args import DeviceName, Integer, Optional, Required
from clickbpf.vocabulary.element import PASSES

from ._dpdk import COMMON, DPDKDevice, accepted, refuse_offloads, refused

#: What a device would have to do with packets.
OFFLOADS = refused("TSO IPCO TCO UCO")


class ToDPDKDevice(DPDKDevice):
    """sends packets to a network device, as FastClick does with DPDK

    Synopsis: `ToDPDKDevice(PORT [, QUEUE, KEYWORD ...])`

    Sends the packets that are pushed at it, which must have their link header, out of a device. No DPDK is used: PORT, whatever it
    is, is the device's name in the configuration, as FromDPDKDevice's is. In user space a packet that the device has no room for
    is dropped.

    Arguments:

      - PORT: The device: a number, a PCI address or a name.
      - QUEUE: Integer. Must be 0 or left out: all queues are used.
      - TSO, IPCO, TCO, UCO: Booleans. Must be false, which is the default: SetIPChecksum, SetTCPChecksum and SetUDPChecksum compute
        checksums.
      - N_QUEUES, MAXTHREADS, IQUEUE, BLOCKING, BURST, TIMEOUT, NDESC, MAXQUEUES, ALLOC, VERBOSE, ACTIVE, ALLOW_NONEXISTENT: Accepted,
        of no effect.

    Handlers: `count` and `hw_count`, the packets sent; `dropped`, those that the device refused; `reset_counts`.

    Example:

        FromDPDKDevice(0) -> EtherMirror -> ToDPDKDevice(0);
    """

    bears_offloads = True
    ports = "1/0"
    processing = "h"
    entries = ("gives_up",)
    looks = PASSES
    args = (
        Required("PORT", DeviceName()),
        Optional("QUEUE", Integer(32, low=-1), -1),
        *OFFLOADS,
        *COMMON,
        *accepted("IQUEUE BLOCKING TIMEOUT ALLOC"),
    )
    drop_handlers = {"dropped": "DEVICE"}
    weight = 40

    def configure(self) -> None:
        refuse_offloads(self.cfg, OFFLOADS, "SetTCPChecksum and the like compute checksums")

    def sends_to(self) -> str | None:
        return self.cfg.port
