"""What is read about the qdisc fq: by messages as the kernel sends them, since not every kernel has it."""

from __future__ import annotations

import struct

import pytest

from clickbpf.load.devices import fq
from clickbpf.load.devices.devices import Device
from clickbpf.load.kernel import rtnetlink
from clickbpf.objects.made import INLET

ROOT, MQ_CHILD = 0xFFFFFFFF, 0x80010001


class Qdisc(dict):
    """A message of pyroute2."""

    def get_attr(self, name: str):
        return self["attrs"][name]


def qdisc(index: int, parent: int, kind: str, **options: int) -> Qdisc:
    """With options of 4 bytes by their numbers, `o1`, and one of another length before them."""
    known = b"".join(struct.pack("=HHI", 8, int(number[1:]), value) for number, value in options.items())
    other = struct.pack("=HH", 4 + 5, 16) + bytes(5 + 3)
    return Qdisc(index=index, parent=parent, attrs={"TCA_KIND": kind, "TCA_OPTIONS": (other + known).hex(":")})


@pytest.mark.parametrize(
    "found, room",
    [
        ([qdisc(7, ROOT, "fq", o1=10_000, o2=100, o14=10_000_000)], (10**10, 100)),
        ([qdisc(7, ROOT, "fq", o1=50, o2=100, o14=2)], (2000, 50)),
        ([qdisc(7, MQ_CHILD, "fq", o1=50, o2=100, o14=2)], (0, 0)),
        ([qdisc(8, ROOT, "fq", o1=50, o2=100, o14=2), qdisc(7, ROOT, "fq_codel", o1=50)], (0, 0)),
        ([], (0, 0)),
    ],
)
def test_the_room_is_read(monkeypatch, found, room):
    class Netlink:
        def __enter__(self):
            return self

        def __exit__(self, *exception):
            pass

        def get_qdiscs(self, index):
            return found

    monkeypatch.setattr(rtnetlink, "IPRoute", Netlink, raising=False)
    devices = [Device("eth0", "eth0", 7, bytes(6), 1500, "veth", 1, True), Device(INLET, "i", 9, bytes(6), 1500, "veth", 1, True)]
    assert struct.unpack("=QQ", fq.variables(devices)["fq_room"]) == room
