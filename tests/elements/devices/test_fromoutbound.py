"""FromOutbound: what Linux sends by a device, as both executors see it. tests/load/path/test_outbound.py has Linux, and the devices."""

import pytest
from scapy.layers.inet import ICMP, IP
from scapy.layers.l2 import Ether

from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError
from clickbpf.plan.plan import plan
from clickbpf.plan.values import Options
from clickbpf.vocabulary.library import Library

#: A test's name for the packets: those of a device of their own.
OUTBOUND = "eth0 outbound"
FRAME = Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01") / IP(src="10.0.0.1", dst="10.0.0.2") / ICMP()

pytestmark = pytest.mark.executors("native", "tc")


def test_packets_are_counted_and_leave_by_the_device(router):
    r = router("o :: FromOutbound(eth0) -> Queue -> ToDevice(eth0); FromDevice(eth0) -> i :: Counter -> Discard;")
    r.forwards(OUTBOUND, FRAME, "eth0")
    r.send("eth0", FRAME)
    r.expect_nothing()
    assert (r.read("o.count"), r.read("i.count"), r.read("o.dev_name")) == ("1", "1", "eth0")
    r.write("o.reset_counts")
    assert r.read("o.count") == "0"


@pytest.mark.parametrize("end", ["ToHost", "ToHost(eth0)"])
def test_linux_gets_them_back(router, end):
    """On the device that it was about to send them by; the kernel path does that itself."""
    r = router(f"FromOutbound(eth0) -> h :: {end};")
    r.send(OUTBOUND, FRAME)
    r.expect_host(FRAME)
    assert r.read("h.count") == "1"


def test_the_kernel_path_gives_them_back(router):
    made = Compilation(check_text("FromOutbound(eth0) -> ToHost(eth0);", Library.standard()), Options(hook="tc"))
    assert {each.where for each in made.plan.placements.values()} == {"tc"}


@pytest.mark.parametrize(
    "text, hook, message",
    [
        ("FromOutbound(eth0) -> Discard;", "xdp", "takes packets of eth0 outbound, which XDP doesn't see"),
        ("FromOutbound(eth0) -> Discard; FromOutbound(eth0) -> Discard;", "tc", "receives from eth0 outbound already"),
        ("h :: FromHost(fake0) -> Discard; FromOutbound(fake0) -> Discard;", "tc", "'h' makes fake0, and gets what Linux sends there"),
        ("FromOutbound('eth0 outbound') -> Discard;", "tc", "'eth0 outbound' can't be the name of a device"),
        ("FromDevice('eth0 outbound') -> Discard;", "tc", "'eth0 outbound' can't be the name of a device"),
    ],
)
def test_what_can_not_be(text, hook, message):
    with pytest.raises(ClickError, match=message):
        plan(check_text(text, Library.standard()), Options(hook=hook))
