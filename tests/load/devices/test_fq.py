"""What is read about the qdisc fq: by messages as the kernel sends them, since not every kernel has it. And what is said where there is
none."""

import struct
from types import SimpleNamespace

import pytest
from tests.cli.conftest import OWN, execute, net, router  # noqa: F401

from clickbpf.load.devices import fq
from clickbpf.load.devices.devices import Device
from clickbpf.load.kernel import rtnetlink
from clickbpf.objects.made import INLET
from clickbpf.objects.manifest import DelayEntry, Manifest

ROOT, MQ_CHILD = 0xFFFFFFFF, 0x80010001
DEVICES = [Device("eth0", "eth0", 7, bytes(6), 1500, "veth", 1, True), Device(INLET, "i", 9, bytes(6), 1500, "veth", 1, True)]


class Qdisc(dict):
    """A message of pyroute2."""

    def get_attr(self, name: str):
        return self["attrs"][name]


def qdisc(index: int, parent: int, kind: str, **options: int) -> Qdisc:
    """With options of 4 bytes by their numbers, `o1`, and one of another length before them."""
    known = b"".join(struct.pack("=HHI", 8, int(number[1:]), value) for number, value in options.items())
    other = struct.pack("=HH", 4 + 5, 16) + bytes(5 + 3)
    return Qdisc(index=index, parent=parent, attrs={"TCA_KIND": kind, "TCA_OPTIONS": (other + known).hex(":")})


@pytest.fixture
def kernel_has(monkeypatch):
    """Let the kernel have these qdiscs."""

    class Netlink:
        found: list[Qdisc] = []

        def __enter__(self):
            return self

        def __exit__(self, *exception):
            pass

        def get_qdiscs(self, index):
            return self.found

    monkeypatch.setattr(rtnetlink, "IPRoute", Netlink, raising=False)
    return lambda found: setattr(Netlink, "found", found)


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
def test_the_room_is_read(kernel_has, found, room):
    kernel_has(found)
    assert struct.unpack("=QQ", fq.Pacing.variables["fq_room"](DEVICES[:1])) == room


#: Linux's own options.
USUAL = {"o1": 10_000, "o2": 100, "o14": 10_000_000}
SECOND = 10**9


@pytest.mark.parametrize(
    "found, packets, time, what, options",
    [
        ([], 100, SECOND, "the qdisc fq", ""),
        ([], 101, 10 * SECOND, "the qdisc fq", " flow_limit 101"),
        ([], 10_001, 10 * SECOND + 1, "the qdisc fq", " limit 10001 flow_limit 10001 horizon 11s"),
        ([qdisc(7, ROOT, "fq", **USUAL)], 200, SECOND, "room in the qdisc fq", " flow_limit 200"),
        ([qdisc(7, ROOT, "fq", **USUAL | {"o1": 50, "o14": 1000})], 100, 2_000_000, "room in the qdisc fq", " limit 100 horizon 1s"),
    ],
)
def test_the_command_for_more_room(kernel_has, found, packets, time, what, options):
    kernel_has(found)
    manifest = Manifest(1, "", "1", delays=(DelayEntry("p", "eth0", packets, time),))
    (line,) = fq.Pacing().lacking(SimpleNamespace(manifest=manifest, devices=DEVICES))
    assert line == f"eth0: for lack of {what} packets of p wait in user space: tc qdisc replace dev eth0 root fq{options}"


def test_room_that_is_enough(kernel_has):
    kernel_has([qdisc(7, ROOT, "fq", **USUAL)])
    manifest = Manifest(1, "", "1", delays=(DelayEntry("p", "eth0", 100, 10 * SECOND),))
    assert list(fq.Pacing().lacking(SimpleNamespace(manifest=manifest, devices=DEVICES))) == []


@pytest.mark.needs("root", "ip", "clang-19")
def test_loading_without_fq(router, tmp_path):  # noqa: F811
    file = tmp_path / f"{OWN}.click"
    file.write_text("FromDevice(eth0) -> p :: Pacer(100, 200) -> Queue -> ToDevice(eth1);")
    advice = "packets of p wait in user space: tc qdisc replace dev eth1 root fq flow_limit 200"
    for words in (("--dry-run",), (), ("--replace",)):
        done = execute(router, "load", *words, "--hook", "tc", str(file))
        assert done.status == 0 and (done.out + done.err).count(advice) == 1, done
    assert execute(None, "unload", OWN).status == 0
    done = execute(router, "load", str(file))
    assert done.status == 0 and "fq" not in done.out + done.err, "on XDP all packets wait in user space"
