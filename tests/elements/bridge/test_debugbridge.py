"""DebugBridge: lines as Click prints them."""

import pytest

HEAD = "0180c2000000001f294df831"
CONFIG = "0026424203000000008180000200000000100000000480000200000000408003010014000200 0f000000000000000000"
CHANGE = "0007424203000000800000000000000000000000000000000000000000000000000000000000000000000000000000"
OTHER = "0026424203000102020000000000000000000000000000000000000000010000000000000000000000000000000000000000"


@pytest.mark.executors("native")
@pytest.mark.parametrize(
    ("frame", "line"),
    [
        (CONFIG, "CFG 8000020000000040:8003: TCA TC  00000004 -> 8000020000000010  a/m/h/d: 100/1400/200/f00"),
        (CHANGE, "TCM"),
        (OTHER, "???                1:0000: tca tc  00000000 ->                0  a/m/h/d: 0/0/0/0"),
        ("0026", "(14 bytes)"),
    ],
)
def test_lines(element, capfd, frame, line):
    x = element('DebugBridge("port 1")')
    packet = bytes.fromhex(HEAD + frame)
    x.passes(packet)
    assert capfd.readouterr().err == f"port 1 {line}\n"
