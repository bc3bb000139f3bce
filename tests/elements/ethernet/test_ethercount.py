"""EtherCount: a number for each source."""

from scapy.layers.l2 import Ether
from tests.elements.trials import Trial


def frame(source: str) -> Ether:
    return Ether(src=source, dst="02:00:00:00:00:01") / bytes(46)


TRIALS = {
    "sources are counted": Trial("EtherCount")
        .reads(stats="").passes(*(frame(source) for source in ("02:00:00:00:00:11", "fe:ff:00:00:00:22", "02:00:00:00:00:11")))
        .reads(stats="02-00-00-00-00-11 2\nFE-FF-00-00-00-22 1\n").write("reset").reads(stats="").passes(frame("02:00:00:00:00:33"))
        .reads(stats="02-00-00-00-00-33 1\n"),
    "short packets pass": Trial("EtherCount", before="Strip(1)").gives(bytes(14), bytes(13)).reads(stats=""),
}
