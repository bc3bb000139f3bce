"""DecIP6HLIM: RFC 8200, 3."""

from tests.elements.ip6.packets import packet
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6

TRIALS = {
    "every hop limit": Trial("DecIP6HLIM", noutputs=2, headers="ip6")
        .each((packet(hlim=hops), packet(hlim=hops if hops <= 1 else hops - 1), hops <= 1) for hops in range(256)).reads(drops="2"),
}

CASES = [Case("DecIP6HLIM", noutputs=2, headers="ip6-in-ethernet", mix=IPV6, handlers=["x.*"])]
