"""IPMirror: there and back."""

from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_NOP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix

THERE, BACK = {"src": "10.0.0.2", "dst": "10.0.1.2"}, {"src": "10.0.1.2", "dst": "10.0.0.2"}

TRIALS = {
    "there and back": [
        Trial("IPMirror", headers="ip-checked")
            .gives(
                IP(**THERE, options=([IPOption_NOP()] * options)) / there, IP(**BACK, options=([IPOption_NOP()] * options)) / back,
                DST_IP=0x0A000002
            )
        for options in [0, 12]
        for there, back in [
            (UDP(sport=1, dport=2) / b"x", UDP(sport=2, dport=1) / b"x"),
            (TCP(sport=1, dport=2, seq=3, ack=4, flags="A"), TCP(sport=2, dport=1, seq=4, ack=3, flags="A")),
            (ICMP(id=1), ICMP(id=1)),
        ]
    ],
    "the annotation may stay": Trial("IPMirror(false)", headers="ip-checked")
        .gives(IP(**THERE) / UDP(), IP(**BACK) / UDP(), DST_IP=0x0A000102),
    "fragments and short packets keep their ports": Trial("IPMirror", headers="ip-checked")
        .each(
            (IP(**THERE, proto=17, **fields) / data, IP(**BACK, proto=17, **fields) / data)
            for data, fields in ((bytes(range(20)), {"frag": 1}), (bytes(range(7)), {}))
        )
        .gives(IP(**THERE, proto=6, flags="MF") / bytes(range(8)), IP(**BACK, proto=6, flags="MF") / bytes([2, 3, 0, 1, 4, 5, 6, 7])),
}

CASES = [Case("IPMirror", headers="ip", mix=Mix(options=30))]
