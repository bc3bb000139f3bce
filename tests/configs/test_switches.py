"""configs/switch.click and the Click paper's switch with the spanning tree protocol."""

import pytest
from scapy.layers.l2 import Ether
from tests.configs.traffic import CONFIGS

from clickbpf.testing.record import Output

A, B, EVERYBODY = "02:00:00:00:0a:01", "02:00:00:00:0a:02", "ff:ff:ff:ff:ff:ff"

#: Where messages of the protocol are sent to.
BRIDGES = bytes.fromhex("0180c2000000")


def frame(source: str, destination: str) -> bytes:
    return bytes(Ether(src=source, dst=destination, type=0x88B5)).ljust(60, b"\0")


def test_four_ports(router):
    r = router(CONFIGS / "switch.click")
    r.send("eth2", frame(A, EVERYBODY))
    for port in (0, 1, 3):
        r.expect(f"eth{port}", frame(A, EVERYBODY))
    r.send("eth0", frame(B, A))
    r.send("eth2", frame(A, B))
    r.expect("eth2", frame(B, A))
    r.expect("eth0", frame(A, B))
    r.expect_nothing()
    assert r.read("switch.table").split() == [A.replace(":", "-").upper(), "2", B.replace(":", "-").upper(), "0"]


@pytest.mark.executors("native")
def test_the_papers_switch_forwards_when_the_tree_is_known(router):
    r = router(CONFIGS / "papers/etherswitch.click", variables={"FORWARD_DELAY": "4s"}, simtime=True)
    r.send("eth0", frame(A, B))
    assert r.read("tree.states") == "0 designated listening\n1 designated listening\n"
    assert (r.dropped("in"), r.read("switch.table")) == (1, "")
    messages = r.advance(8.1)
    assert {output.data[:6] for output in messages} == {BRIDGES}
    assert [output.data for output in r.send("eth0", frame(A, B))] == [frame(A, B)]
    assert r.read("tree.msgs").splitlines()[-1].split()[-3:] == ["8000020000000001", "m/h/d:", "14/2/4"]


def test_the_papers_switch_forwards_in_the_kernel(router):
    """Where the Suppressors are open: as the tree opens them, but at once."""
    r = router(CONFIGS / "papers/etherswitch.click")
    for suppressor in ("in", "out"):
        r.write(f"{suppressor}.reset")
    sent = []
    for device, packet in (("eth0", frame(A, B)), ("eth1", frame(B, A)), ("eth1", frame(A, A))):
        sent += [output for output in r.send(device, packet) if output.data[:6] != BRIDGES]
    assert sent == [Output("eth1", frame(A, B)), Output("eth0", frame(B, A))]
