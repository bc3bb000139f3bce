"""L3 devices that routers can't use, which this machine's kernel may not have."""

from types import SimpleNamespace

import pytest

from clickbpf.errors import ClickError
from clickbpf.load.devices import l3
from clickbpf.load.devices.devices import Device
from clickbpf.objects.hooks import TC, XDP
from clickbpf.objects.manifest import ElementEntry, Manifest

SENDER, READER = (ElementEntry(n, name, name, place=f"r.click:{n}:1", inputs=n == 1) for n, name in ((1, "out"), (2, "in")))


def device(kind: str, remote: str = "") -> Device:
    return Device("t0", "t0", 7, b"", 1476, kind, 1, True, l3=True, remote=remote)


def refused(used: Device, *users: ElementEntry, hook: str = TC) -> list[str]:
    """Place, message and hint of what is wrong with a device that elements use."""
    manifest = Manifest(1, "", "1", ("t0",), elements=users, wired=tuple(("t0", user.name) for user in users), planned={"hook": hook})
    try:
        l3.LinkHeaders().check(SimpleNamespace(manifest=manifest, devices=[used]))
    except ClickError as error:
        return [f"{found.place}: {found.message}; {found.hint}" for found in error.diagnostics]
    return []


@pytest.mark.parametrize(
    "kind, remote",
    [("tun", ""), ("wireguard", ""), ("ipip", "10.0.0.1"), ("sit", "0.0.0.0"), ("gre", "10.0.0.1"), ("ip6gre", "fd00::1")],
)
def test_devices_that_routers_read_and_send_by(kind, remote):
    assert refused(device(kind, remote), SENDER, READER) == []
    assert refused(device(kind, remote), SENDER, READER, hook=XDP) == [
        "r.click:1:1: packets of t0 have no Ethernet header, which XDP needs; routers on TC can use such devices: --hook tc"
    ]


@pytest.mark.parametrize("kind, remote", [("gre", "0.0.0.0"), ("gre", "224.0.0.9"), ("ip6gre", "::")])
def test_devices_with_a_header_in_front(kind, remote):
    message = "packets of t0 begin with the tunnel's header, since it has no single remote address"
    hint = f"create it with one: ip link add t0 type {kind} remote ADDRESS ..."
    assert refused(device(kind, remote), READER) == [f"r.click:2:1: {message}; {hint}"]
    assert refused(device(kind, remote), SENDER, READER) == [f"r.click:1:1: {message}; {hint}"]
    assert refused(device(kind, remote)) == [], "of Linux only"


@pytest.mark.parametrize("kind, remote", [("ipip", "0.0.0.0"), ("ip6tnl", "::")])
def test_devices_that_can_only_be_read(kind, remote):
    assert refused(device(kind, remote), READER) == []
    (found,) = refused(device(kind, remote), READER, SENDER)
    assert found.startswith("r.click:1:1: t0 has no remote address: Linux drops what a router sends by it; create it with one: ip link add")
