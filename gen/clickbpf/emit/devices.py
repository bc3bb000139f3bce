"""C functions about devices."""

from collections.abc import Iterable, Sequence

from clickbpf.objects.made import MadeDevice
from clickbpf.objects.outbound import is_outbound, wire


def is_made(devices: Sequence[str], made: Sequence[MadeDevice]) -> str:
    """The function `device_is_made(device)` of both executors: whether the router created the device, whose other end is then Linux."""
    return _function("device_is_made(int device)", (f"device == {devices.index(each.device)}" for each in made))


def outbound_devices(devices: Sequence[str]) -> str:
    """The kernel path's functions about outbound devices (FromOutbound), each of which represents what Linux sends by another device:
    whether a device is outbound; whether it is outbound of `device`; whether `device` has an outbound one."""
    found = [(number, wire(name)) for number, name in enumerate(devices) if is_outbound(name)]
    pairs = [(number, devices.index(name)) for number, name in found if name in devices]
    return (
        _function("device_is_outbound(int device)", (f"device == {number}" for number, _ in found))
        + _function("device_is_outbound_of(int outbound, int device)", (f"outbound == {out} && device == {by}" for out, by in pairs))
        + _function("device_has_outbound(int device)", (f"device == {by}" for _, by in pairs))
    )


def _function(signature: str, cases: Iterable[str]) -> str:
    """A function that returns whether any of these conditions holds."""
    names = [parameter.split()[-1] for parameter in signature.partition("(")[2][:-1].split(", ")]
    unused = "".join(f"\t(void){name};\n" for name in names)
    test = " || ".join(f"({case})" for case in cases) or "false"
    return f"static __always_inline __attribute__((unused)) bool {signature}\n{{\n{unused}\treturn {test};\n}}\n"
