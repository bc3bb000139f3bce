"""configs/papers/link-*.click: two routers, optimised as one (Click paper on optimisations, ASPLOS 2002)."""

import pytest
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import ARP, Ether
from tests.configs.links import LIBRARY, SIDES, combined
from tests.configs.traffic import CONFIGS, PAPERS, macs

from clickbpf.graph.elaborate import read_file
from clickbpf.graph.unparse import unparse_router
from clickbpf.passes.patterns import read_patterns
from clickbpf.passes.xform import transform
from clickbpf.testing.compare import compare_outputs
from clickbpf.testing.packets import Mix, generate

HOST = {"left": "02:00:00:00:01:99", "right": "02:00:00:00:02:99"}
ADDRESS = {"left": "10.0.1.2", "right": "10.0.2.2"}
LAN = {"left": "02:00:00:00:01:10", "right": "02:00:00:00:02:10"}


@pytest.fixture(scope="module")
def better() -> dict[str, str]:
    """Both routers, after they have been optimised together."""
    return {side: unparse_router(router) for side, router in combined().items()}


class Two:
    """The routers, and the cable between them."""

    def __init__(self, router, texts):
        self.routers = {side: router(texts[side], devices={"eth0": LAN[side], "eth1": LAN[side][:-2] + "20"}) for side in SIDES}
        for side in SIDES:
            self.routers[side].write("lan_arp.insert", f"{ADDRESS[side]} {HOST[side]}")

    def send(self, side: str, packet) -> list[tuple[str, bytes]]:
        """What reaches the hosts of a packet that a host sends; and how many frames crossed the link is counted."""
        arrived, on_link = [], [(side, "eth0", bytes(packet))]
        self.crossed = []
        while on_link:
            where, device, frame = on_link.pop(0)
            for output in self.routers[where].executor.send(device, frame):
                if output.device == "eth0":
                    arrived.append((where, output.data))
                else:
                    self.crossed.append(output.data)
                    on_link.append(("right" if where == "left" else "left", "eth1", output.data))
        return arrived


@pytest.fixture
def plain(router) -> Two:
    return Two(router, {side: PAPERS / f"link-{side}.click" for side in SIDES})


@pytest.fixture
def optimised(router, better) -> Two:
    return Two(router, better)


def between(source: str, **fields):
    target = "right" if source == "left" else "left"
    return Ether(src=HOST[source], dst=LAN[source]) / IP(src=ADDRESS[source], dst=fields.pop("dst", ADDRESS[target]), **fields)


def test_there_is_less_of_it(better):
    for side in SIDES:
        assert better[side].count(":: EtherEncap(0x0800,") == 1
        assert [better[side].count(f":: {name}(") for name in ("ARPQuerier", "ARPResponder", "Classifier")] == [1, 1, 1], "of the network"


def test_hosts_see_no_difference(plain, optimised):
    packets = [between(side, ttl=ttl) / UDP(sport=1, dport=2) / bytes(size) for side in SIDES for ttl in (1, 2, 3, 64) for size in (0, 900)]
    packets += [between(side, dst=dst) / ICMP(id=5) for side in SIDES for dst in ("10.9.0.1", "10.9.0.2", "10.0.1.1", "10.0.2.1")]
    packets += [Ether(src=HOST["left"]) / ARP(hwsrc=HOST["left"], psrc=ADDRESS["left"], pdst="10.0.1.1")]
    for packet in packets:
        side = "left" if packet.src == HOST["left"] else "right"
        assert optimised.send(side, packet) == plain.send(side, packet)
    assert plain.send("left", packets[3]), "a packet arrives"


@pytest.mark.executors("native")
def test_combinations_of_elements_do_what_the_elements_did(router):
    """configs/iprouter.click with IPInputCombos and IPOutputCombos: the same packets come out. That combinations do what their elements do
    is so on all executors (tests/elements/test_alike.py)."""
    path, silent = CONFIGS / "iprouter.click", {"ADVERTISE": "false"}
    before = read_file(path, LIBRARY, silent)
    after = transform(before, read_patterns(str(PAPERS / "lib" / "combos.clickpat")))
    classes = [element.class_name for element in after.elements]
    assert (classes.count("IPInputCombo"), classes.count("IPOutputCombo")) == (2, 2)
    # What is left of them is the way of IPv6.
    assert not {"DecIPTTL", "IPGWOptions"} & set(classes) and (classes.count("Paint"), classes.count("DropBroadcasts")) == (2, 2)
    devices = macs(2)
    given = {"devices": devices, "simtime": 5}
    pair = [router(path, variables=silent, **given), router(unparse_router(after), **given)]
    for number, packet in enumerate(generate(800, seed=4, mix=Mix(macs=tuple(devices.values())))):
        if 14 <= len(packet) <= 1514:
            ours, theirs = (one.executor.send(f"eth{number % 2}", packet) for one in pair)
            differs = compare_outputs(ours, theirs, ("before", "after"))
            assert differs is None, f"packet {number}: {differs}"


def test_nobody_asks_on_the_link(plain, optimised):
    packet = between("left") / UDP()
    plain.send("left", packet)
    assert [Ether(frame).type for frame in plain.crossed] == [0x0806, 0x0806, 0x0800]
    optimised.send("left", packet)
    assert [Ether(frame).type for frame in optimised.crossed] == [0x0800]
