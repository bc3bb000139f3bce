"""Network devices that a router makes for itself."""

from clickbpf.frozen import frozen


@frozen
class MadeDevice:
    """A virtual Ethernet device that Linux gets while the router is loaded: what Linux sends there enters the router,
    and what the router sends there Linux receives.

    `device` is its name in the configuration, `element` asks for it. Addresses are text, as Linux writes them: `address`
    with its prefix length ("10.1.1.1/24"), `ether` Linux's own ("00:01:02:03:04:05", else the kernel chooses), `gateway`
    that of a default route. Without `arp`, Linux asks for no Ethernet addresses there.
    """

    device: str
    element: str
    address: str | None = None
    ether: str | None = None
    mtu: int = 1500
    gateway: str | None = None
    arp: bool = True


#: The device, of the manifest's devices the last, by which a kernel path on TC hands packets over (bpf/exits_tc.h): programs send
#: into Linux's end, and the runtime listens at the other. No device can have that name, for it has a space in it.
INLET = "the inlet"
#: The MTU of the inlet: the most that a veth device has. How much really crosses, the programs know (bpf/exits_tc.h).
INLET_MTU = 65535


def inlet() -> MadeDevice:
    return MadeDevice(INLET, "", mtu=INLET_MTU, arp=False)
