"""configs/mirror.click and configs/switch.click between real devices: the kernel makes their copies, and the runtime counts nothing."""

from collections.abc import Iterable

import pytest
from tests.axes import axis
from tests.configs.conftest import WAYS, Loaded
from tests.configs.traffic import CONFIGS

from clickbpf.testing.traffic import RawPort

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "clang-19")

#: Seconds that a frame may take, and in which one that isn't sent doesn't come.
PATIENCE, QUIET = 5.0, 0.3
A, B, EVERYBODY = "02:00:00:00:0a:01", "02:00:00:00:0a:02", "ff:ff:ff:ff:ff:ff"


def frame(source: str, destination: str, number: int = 0) -> bytes:
    """60 bytes, of a protocol that Linux doesn't use by itself."""
    return bytes.fromhex((destination + source).replace(":", "")) + b"\x88\xb5" + number.to_bytes(46, "big")


@pytest.fixture(params=axis(*WAYS), ids=lambda way: "-".join(way) or "native")
def wires(request, network, load):
    """wires(configuration, number of devices): the loaded router, and the far ends of its devices eth0, eth1, ..."""
    ports: list[RawPort] = []

    def make(configuration: str, devices: int) -> tuple[Loaded, list[RawPort]]:
        place, far = network.namespace("router"), network.namespace("wires")
        for number in range(devices):
            network.veth(place, f"eth{number}", far, f"eth{number}")
            far.sysctl(f"net.ipv6.conf.eth{number}.disable_ipv6", "1")
            place.sysctl(f"net.ipv6.conf.eth{number}.disable_ipv6", "1")
        ports.extend(RawPort(far, f"eth{number}") for number in range(devices))
        return load(place, CONFIGS / configuration, options=request.param), ports

    yield make
    for port in ports:
        port.close()


def received(port: RawPort, count: int) -> list[bytes]:
    """So many frames of ours that arrive, in their order."""
    found: list[bytes] = []
    while len(found) < count and (one := port.receive(PATIENCE)) is not None:
        found += [one] if one[12:14] == b"\x88\xb5" else []
    return found


def expect_nothing(ports: Iterable[RawPort]) -> None:
    for port in ports:
        one = port.receive(QUIET)
        assert one is None or one[12:14] != b"\x88\xb5"


def test_the_mirror_copies_in_the_kernel(wires):
    router, (one, other, tap) = wires("mirror.click", 3)
    before = router.by_runtime()
    frames = [frame(A, B, number) for number in range(200)]
    for number, each in enumerate(frames):
        (other if number % 2 else one).send(each)
    assert received(other, 100) == frames[0::2]
    assert received(one, 100) == frames[1::2]
    mirrored = received(tap, 200)
    assert [each for each in mirrored if each in frames[0::2]] == frames[0::2], "each direction in its order"
    assert sorted(mirrored) == sorted(frames)
    expect_nothing((one, other, tap))
    assert [router.read(f"{name}.count") for name in ("onward", "back", "tapped")] == ["100", "100", "200"]
    assert router.by_runtime() == before


#: Every packet leaves by all devices, that which it came from included.
BACK = """
    FromDevice(eth0) -> t :: Tee(3); t[0] -> Queue -> ToDevice(eth0); t[1] -> Queue -> ToDevice(eth1);
    t[2] -> Queue -> ToDevice(eth2); FromDevice(eth1) -> Discard; FromDevice(eth2) -> Discard;
"""


@pytest.fixture
def back(tmp_path):
    path = tmp_path / "back.click"
    path.write_text(BACK)
    return path


def test_copies_leave_by_the_device_that_the_packet_came_from(wires, back):
    _, ports = wires(back, 3)
    frames = [frame(A, B, number) for number in range(50)]
    for each in frames:
        ports[0].send(each)
    for port in ports:
        assert received(port, len(frames)) == frames
    expect_nothing(ports)


@pytest.mark.parametrize("wires", [("--hook", "tc")], ids=["tc"], indirect=True)
def test_a_copy_that_a_device_does_not_take_is_a_drop(wires, back):
    """The others leave all the same."""
    router, ports = wires(back, 3)
    router.where.ip("link", "set", "eth1", "down")
    frames = [frame(A, B, number) for number in range(50)]
    for each in frames:
        ports[0].send(each)
    for port in (ports[0], ports[2]):
        assert received(port, len(frames)) == frames
    assert router.dropped("t") == {"DEVICE": len(frames)}
    assert router.by_runtime() == 0


#: What arrives leaves unchanged by two devices, and changed by the last.
CHANGED = """
    FromDevice(eth0) -> t :: Tee(3);
    t[0] -> Strip(14) -> EtherEncap(0x88b5, 02:00:00:00:0b:01, 02:00:00:00:0b:02) -> Queue -> ToDevice(eth3);
    t[1] -> Queue -> ToDevice(eth1); t[2] -> Queue -> ToDevice(eth2);
    FromDevice(eth1) -> Discard; FromDevice(eth2) -> Discard; FromDevice(eth3) -> Discard;
"""


@pytest.mark.parametrize("wires", [("--hook", "tc")], ids=["tc"], indirect=True)
def test_clones_leave_as_the_packet_was_before_it_was_changed(wires, tmp_path):
    path = tmp_path / "changed.click"
    path.write_text(CHANGED)
    router, ports = wires(path, 4)
    frames = [frame(A, B, number) for number in range(200)]
    for each in frames:
        ports[0].send(each)
    ends = bytes.fromhex("020000000b02020000000b01")
    assert received(ports[1], 200) == received(ports[2], 200) == frames
    assert received(ports[3], 200) == [ends + each[12:] for each in frames]
    expect_nothing(ports)
    assert router.by_runtime() == 0


@pytest.mark.whole
def test_the_switch_floods_in_the_kernel(wires):
    router, ports = wires("switch.click", 4)
    for number, source in ((0, A), (1, B)):
        ports[number].send(frame(source, EVERYBODY))
        for port in ports[:number] + ports[number + 1 :]:
            assert received(port, 1) == [frame(source, EVERYBODY)]
    before = router.by_runtime()
    frames = [frame(A, to, number) for number, to in enumerate([EVERYBODY, "01:00:5e:00:00:01", "02:00:00:00:0a:99"] * 50)]
    for each in frames:
        ports[0].send(each)
    for port in ports[1:]:
        assert received(port, len(frames)) == frames
    ports[0].send(frame(A, B))
    assert received(ports[1], 1) == [frame(A, B)]
    expect_nothing(ports)
    assert router.by_runtime() == before
