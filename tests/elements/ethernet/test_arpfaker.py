"""ARPFaker: replies (RFC 826) at Click's times."""

import pytest
from scapy.layers.l2 import ARP, Ether

TARGET = {"ip": "10.0.0.2", "ether": "02:00:00:00:00:02"}
CLAIMED = {"ip": "10.0.0.9", "ether": "02:00:00:00:00:09"}
FAKER = f"ARPFaker({TARGET['ip']}, {TARGET['ether']}, {CLAIMED['ip']}, {CLAIMED['ether']})"
REPLY = Ether(src=CLAIMED["ether"], dst=TARGET["ether"]) / ARP(
    op=2, hwsrc=CLAIMED["ether"], psrc=CLAIMED["ip"], hwdst=TARGET["ether"], pdst=TARGET["ip"]
)


@pytest.mark.executors("native")
def test_a_reply_after_a_second_and_then_every_ten(router):
    r = router(f"{FAKER} -> Queue -> ToDevice(eth0);", simtime=True)
    assert r.advance(0.99) == []
    for seconds in (0.02, 10, 10):
        assert len(r.advance(seconds)) == 1
        r.expect("eth0", REPLY)
    assert r.advance(9.9) == []
