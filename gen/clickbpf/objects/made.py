"""Network devices that a router creates for itself."""

from clickbpf.frozen import frozen


@frozen
class MadeDevice:
    """A virtual Ethernet device for Linux while the router is loaded: packets that Linux sends by it enter the router, and packets that the
    router sends by it are received by Linux.

    `device` is its name in the configuration, `element` the element that needs it. Addresses are text in Linux's form: `address` with its
    prefix length ("10.1.1.1/24"); `ether`, the address of Linux's end ("00:01:02:03:04:05", by default chosen by the kernel); `gateway`,
    that of a default route. Without `arp`, Linux sends no ARP requests there.
    """

    device: str
    element: str
    address: str | None = None
    ether: str | None = None
    mtu: int = 1500
    gateway: str | None = None
    arp: bool = True


#: The last of the manifest's devices, through which a kernel path on TC hands packets over (bpf/exits_tc.h): programs send into Linux's
#: end, and the runtime receives at the other. No real device has a name with a space.
INLET = "the inlet"
#: The MTU of the inlet, the largest of a veth device. The programs have their own limit (bpf/exits_tc.h).
INLET_MTU = 65535


def inlet() -> MadeDevice:
    return MadeDevice(INLET, "", mtu=INLET_MTU, arp=False)
