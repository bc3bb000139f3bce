"""EtherCount: a number for each source."""

from scapy.layers.l2 import Ether


def frame(source: str) -> Ether:
    return Ether(src=source, dst="02:00:00:00:00:01") / bytes(46)


def test_sources_are_counted(element):
    x = element("EtherCount")
    assert x.read("stats") == ""
    for source in ("02:00:00:00:00:11", "fe:ff:00:00:00:22", "02:00:00:00:00:11"):
        x.send(frame(source))
        x.expect(0, frame(source))
    assert x.read("stats") == "02-00-00-00-00-11 2\nFE-FF-00-00-00-22 1\n"
    x.write("reset", "")
    assert x.read("stats") == ""
    x.send(frame("02:00:00:00:00:33"))
    x.expect(0, frame("02:00:00:00:00:33"))
    assert x.read("stats") == "02-00-00-00-00-33 1\n"


def test_short_packets_pass(element):
    x = element("EtherCount", before="Strip(1)")
    x.send(bytes(14))
    x.expect(0, bytes(13))
    assert x.read("stats") == ""
