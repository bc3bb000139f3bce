"""EtherSpanTree: IEEE 802.1D-1998, of which scapy knows the messages and Linux's bridge is another implementation."""

import pytest
from scapy.layers.l2 import LLC, STP, Dot3
from scapy.packet import Raw
from tests.runtime.routers import Routers

from .ring import tree_switch

ME, PRIORITY = "02:00:00:00:00:50", 0x8000
BETTER, OTHER, WORSE = "02:00:00:00:00:10", "02:00:00:00:00:40", "02:00:00:00:00:90"
TC, TCA = 0x01, 0x80
NATIVE = pytest.mark.executors("native")


def framed(message, source: str, size: int) -> bytes:
    """In LLC, padded to the least that Ethernet carries."""
    return bytes(Dot3(dst="01:80:c2:00:00:00", src=source, len=size + 3) / LLC(dsap=0x42, ssap=0x42, ctrl=3) / message).ljust(60, b"\0")


def config(root: str, cost: int, bridge: str, port: int, flags: int = 0, age: float = 0, **times) -> bytes:
    times = {"maxage": 20, "hellotime": 2, "fwddelay": 15, **times}
    message = STP(
        bpduflags=flags, rootid=PRIORITY, rootmac=root, pathcost=cost, bridgeid=PRIORITY, bridgemac=bridge, portid=port, age=age, **times
    )
    return framed(message, bridge, 35)


def change(bridge: str) -> bytes:
    return framed(Raw(b"\0\0\0\x80"), bridge, 4)


class Switch:
    """A running switch, and the frames that have left it: (device, bytes)."""

    def __init__(self, router):
        self.router, self.read, self.sent = router, router.read, []

    def send(self, device: str, frame: bytes) -> None:
        self.sent += [(output.device, output.data) for output in self.router.send(device, frame)]

    def advance(self, seconds: float) -> None:
        self.sent += [(output.device, output.data) for output in self.router.advance(seconds)]

    def taken(self) -> list[tuple[str, bytes]]:
        taken, self.sent = self.sent, []
        return taken


@pytest.fixture
def tree(router):
    def start(ports: int = 2, arguments: str = "") -> Switch:
        made = Switch(router(tree_switch(ports, ME, f"BRIDGE_PRIORITY {PRIORITY}{arguments}"), simtime=True))
        made.advance(0)
        return made

    return start


def states(router) -> list[str]:
    return [line.split(" ", 1)[1] for line in router.read("tree.states").splitlines()]


def data(source: int, destination: int) -> bytes:
    return bytes([2, 0, 0, 0, 1, destination, 2, 0, 0, 0, 1, source]) + b"\x88\xb5" + bytes(46)


@NATIVE
@pytest.mark.parametrize("arguments, kept", [("", True), (", PATH_COST 2", False)], ids=["same", "other arguments"])
def test_a_swap_keeps_the_tree(arguments, kept):
    """A port that is blocked stays so, the others forward at once, and the root is still waited for as long as it was."""
    text = tree_switch(3, ME, f"BRIDGE_PRIORITY {PRIORITY}")
    switch = Routers(text)
    try:
        for seconds in (1, 15, 15):
            for port in (0, 1):
                switch.now.inject(f"eth{port}", config(BETTER, 0, BETTER, 0x8001 + port))
            switch.now.advance(seconds * 10**9)
        before = switch.read("tree.states"), switch.read("tree.msgs")
        assert before[0] == "0 root forwarding\n1 alternate blocking\n2 designated forwarding\n"
        switch.replace(text.replace(", in, out, switch", f", in, out, switch{arguments}"))
        assert ((switch.read("tree.states"), switch.read("tree.msgs")) == before) == kept
        for device, arrives in (("eth0", kept), ("eth1", False)):
            switch.now.collect("eth2")
            switch.now.inject(device, data(1, 2))
            assert (data(1, 2) in [bytes(each) for each in switch.now.collect("eth2")]) == arrives
        if kept:
            switch.now.advance(4 * 10**9)
            assert "root" in switch.read("tree.states"), "15 of 20 seconds have passed, and 4"
            switch.now.advance(2 * 10**9)
            assert "root" not in switch.read("tree.states")
    finally:
        switch.now.close()


# -- one switch ------------------------------------------------------------------------------------------------------------


@NATIVE
def test_a_switch_alone_is_the_root(tree):
    r = tree()
    messages = [(f"eth{port}", config(ME, 0, ME, 0x8001 + port)) for port in (0, 1)]
    assert r.taken() == messages
    r.advance(1.9)
    assert r.taken() == []
    r.advance(0.2)
    assert r.taken() == messages


@NATIVE
def test_ports_listen_and_learn_before_they_forward(tree):
    r = tree()
    shut = [[r.read(f"{s}.active{port}") for s in ("in", "out")] for port in (0, 1)]
    assert (states(r), shut) == (["designated listening"] * 2, [["false"] * 2] * 2)
    r.send("eth0", data(1, 2))
    assert r.read("switch.table") == ""
    r.advance(15.1)
    assert states(r) == ["designated learning"] * 2
    r.taken()
    r.send("eth0", data(1, 2))
    assert r.taken() == []
    assert r.read("switch.table") == "02-00-00-00-01-01 0\n"
    r.advance(15.1)
    assert states(r) == ["designated forwarding"] * 2
    r.taken()
    r.send("eth1", data(2, 1))
    assert r.taken() == [("eth0", data(2, 1))]


@NATIVE
def test_the_better_switch_is_the_root_and_the_better_way_to_it_is_taken(tree):
    r = tree(3)
    r.taken()
    r.advance(1.5)
    r.send("eth0", config(BETTER, 1, OTHER, 0x8003))
    assert r.taken() == [(f"eth{port}", config(BETTER, 2, ME, 0x8001 + port, age=1 / 256)) for port in (1, 2)]
    r.send("eth1", config(BETTER, 0, BETTER, 0x8001))
    assert states(r)[:2] == ["alternate blocking", "root listening"]
    # Costs on the network of eth0 are equal, so identifiers decide; on eth2 the sender's port.
    r.send("eth2", config(BETTER, 0, BETTER, 0x8002))
    assert states(r) == ["alternate blocking", "root listening", "alternate blocking"]
    lines = r.read("tree.msgs").splitlines()
    assert lines[1] == f" 8000{BETTER.replace(':', '')}:8001: tc  0 -> 8000{BETTER.replace(':', '')}  m/h/d: 14/2/f"
    assert lines[3] == f" 8000{BETTER.replace(':', '')}:8001: tc  1 -> 8000{BETTER.replace(':', '')}  m/h/d: 14/2/f"


@NATIVE
def test_a_worse_switch_is_told_better(tree):
    r = tree()
    r.advance(1.5)
    r.taken()
    r.send("eth1", config(WORSE, 0, WORSE, 0x8001))
    assert r.taken() == [("eth1", config(ME, 0, ME, 0x8002))]
    assert states(r) == ["designated listening"] * 2


@NATIVE
def test_a_port_sends_one_message_a_second(tree):
    """Whatever asks for more: the hold time of 802.1D."""
    r = tree()
    r.advance(1.5)
    r.taken()
    for _ in range(3):
        r.send("eth1", config(WORSE, 0, WORSE, 0x8001))
    assert r.taken() == [("eth1", config(ME, 0, ME, 0x8002))]
    r.advance(0.9)
    assert "eth1" not in dict(r.taken())
    r.advance(0.2)
    assert r.taken() == [("eth1", config(ME, 0, ME, 0x8002))]


@NATIVE
def test_of_two_ports_on_one_network_the_first_is_used(tree):
    r = tree()
    frames = r.taken()
    r.send("eth1", dict(frames)["eth0"])
    r.send("eth0", dict(frames)["eth1"])
    assert states(r) == ["designated listening", "backup blocking"]


@NATIVE
def test_a_root_that_is_silent_is_forgotten_after_max_age(tree):
    r = tree()
    r.send("eth0", config(BETTER, 0, BETTER, 0x8001, age=5))
    assert states(r)[0] == "root listening"
    r.advance(14.9)
    assert states(r)[0] != "designated listening"
    r.advance(0.2)
    assert states(r)[0].startswith("designated")
    r.taken()
    r.advance(2.1)
    assert dict(r.taken())["eth0"][22:30] == bytes.fromhex("8000" + ME.replace(":", ""))


@NATIVE
def test_times_are_the_roots(tree):
    r = tree()
    r.send("eth0", config(BETTER, 0, BETTER, 0x8001, maxage=6, hellotime=1, fwddelay=4))
    r.send("eth0", config(BETTER, 0, BETTER, 0x8001, maxage=6, hellotime=1, fwddelay=4))
    assert r.read("tree.msgs").splitlines()[-1].endswith("m/h/d: 6/1/4")


# -- when the topology changes ---------------------------------------------------------------------------------------------


@NATIVE
def test_a_change_below_is_acknowledged_and_told_by_the_root(tree):
    r = tree(arguments=", MAX_AGE 6, FORWARD_DELAY 4")
    r.advance(100)
    r.taken()
    r.send("eth0", data(1, 2))
    r.taken()
    r.send("eth1", change(WORSE))
    r.advance(1.1)
    told = dict(reversed(r.taken()))
    assert told["eth1"][21] == TC | TCA
    # Addresses that are silent for longer than the forward delay are forgotten meanwhile.
    r.advance(3.5)
    r.taken()
    r.send("eth1", data(2, 1))
    r.taken()
    assert [line.split()[1] for line in r.read("switch.table").splitlines()] == ["1"]
    r.advance(8)
    assert {frame[21] for frame in dict(r.taken()).values()} == {0}


@NATIVE
def test_a_change_is_told_to_the_root_until_it_has_heard(tree):
    r = tree(arguments=", FORWARD_DELAY 4")
    for _ in range(10):
        r.send("eth0", config(BETTER, 0, BETTER, 0x8001, fwddelay=4))
        r.advance(1)
    assert states(r) == ["root forwarding", "designated forwarding"]
    notices = [frame for device, frame in r.taken() if device == "eth0" and frame[20] == 0x80]
    assert notices[0] == change(ME)
    assert len(notices) > 1
    r.send("eth0", config(BETTER, 0, BETTER, 0x8001, flags=TCA, fwddelay=4))
    r.advance(5)
    assert not [frame for device, frame in r.taken() if device == "eth0"]


# -- mistakes --------------------------------------------------------------------------------------------------------------


@NATIVE
@pytest.mark.parametrize(
    "frame",
    [
        config(BETTER, 0, BETTER, 1)[:51],
        config(BETTER, 0, BETTER, 1, age=20),
        config(BETTER, 0, BETTER, 1).replace(b"\x42\x42\x03", b"\x42\x42\x07"),
        config(BETTER, 0, BETTER, 1)[:20] + b"\x02" + config(BETTER, 0, BETTER, 1)[21:],
        config(ME, 0, ME, 0x8001),
        config(BETTER, 0, BETTER, 1)[:12] + b"\xff\xff" + config(BETTER, 0, BETTER, 1)[14:],
        b"\x01\x80\xc2\0\0\0" + bytes(11),
    ],
)
def test_wrong_messages_change_nothing(router, frame):
    r = router(f"{tree_switch(2, ME, f'BRIDGE_PRIORITY {PRIORITY}')} FromDevice(raw) -> [0]tree;", simtime=True)
    r.send("raw", frame)
    assert states(r) == ["designated listening"] * 2
    assert r.dropped("tree") == 1


def test_times_that_contradict_each_other(refused_router):
    assert "MAX_AGE" in refused_router(
        "tree :: EtherSpanTree(1:2:3:4:5:6, in, out, switch, MAX_AGE 1s); Idle -> tree -> Discard; Idle -> in :: Suppressor"
        " -> switch :: EtherSwitch -> out :: Suppressor -> Discard; Idle -> [1]in[1] -> [1]switch[1] -> [1]out[1] -> Discard;"
    )
