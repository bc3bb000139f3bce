"""What Linux sends by a network device, which is a device of its own for a router (FromOutbound): packets come from it as they do from
one that receives, only at the device's egress. Nothing is sent there: that is what the network device is for.

Its name has a space in it, which the names of network devices don't.
"""

_SUFFIX = " outbound"


def outbound(device: str) -> str:
    """The device of what Linux sends by a network device."""
    return device + _SUFFIX


def is_outbound(device: str) -> bool:
    return device.endswith(_SUFFIX)


def wire(device: str) -> str:
    """The network device of either kind."""
    return device.removesuffix(_SUFFIX)


def alike(name: str, device: str) -> str:
    """The network device of that name, or what Linux sends by it if `device` is of that kind."""
    return outbound(name) if is_outbound(device) else name
