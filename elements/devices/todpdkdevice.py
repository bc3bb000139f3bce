from clickbpf.declare import BEARS_OFFLOADS, PASSES, CountsDrops, DeviceName, Integer, Optional, Required

from ._dpdk import COMMON, WRITING, DrivenDevice, accepted


class ToDPDKDevice(CountsDrops, DrivenDevice, ports="1/0", processing="h", traits=BEARS_OFFLOADS | PASSES):
    """sends packets to a network device, as FastClick does with DPDK

    Sends pushed packets, which must have their link header, by a device. DPDK isn't used: PORT is the device's name in the
    configuration, as for FromDPDKDevice. In user space a packet is dropped if the device has no room.

    Handlers: `count` and `hw_count`, packets sent; `dropped`, packets that the device refused; `reset_counts`.

    Example: FromDPDKDevice(0) -> EtherMirror -> ToDPDKDevice(0);
    """

    args = (
        Required("PORT", DeviceName(), "The device: a number, a PCI address or a name"),
        Optional("QUEUE", Integer(32, low=-1), -1, "Accepted, without effect"),
        *COMMON,
        *WRITING,
        *accepted("BURST TIMEOUT NDESC MAXQUEUES ALLOC"),
        *accepted("TSO IPCO TCO UCO", "Accepted, without effect. In FastClick, elements such as ResetIPChecksum then leave checksums to "
            "the device; here these elements compute them"),
    )
    drop_handlers = {"dropped": "DEVICE"}

    def sends_to(self) -> str | None:
        return self.cfg.port
