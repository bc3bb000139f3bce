"""CheckPacket and ComparePackets: what they say of packets. The words and numbers are those of Click 2.1."""

import pytest

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

#: Arguments, and what is said of the packet abcd.
SAID = [
    ("LENGTH 5", "bad length 4 (wanted 5)"),
    ("LENGTH_GE 5", "bad length 4 (wanted > 4)"),
    ("LENGTH_LE 3", "bad length 4 (wanted < 4)"),
    ('DATA "abc"', "data too long (4 bytes, wanted 3)"),
    ('DATA "xbc", DATA_OFFSET 1', "bad data (does not match)"),
    ('DATA "abcd", DATA_OFFSET 1', "data too short (4 bytes, wanted 5)"),
    ('DATA "cd", DATA_OFFSET 2, LENGTH_EQ 4, ALIGNMENT 4 1', ""),
]


def test_what_is_wrong_is_said(router, capfd):
    """Of each packet; all go on."""
    checks = "".join(f"t[{port}] -> c{port} :: CheckPacket({SAID[port][0]}) -> n;" for port in range(len(SAID)))
    r = router(f"FromDevice(in) -> Truncate(4) -> t :: Tee({len(SAID)}); n :: Counter -> Queue -> ToDevice(out); {checks}")
    r.send("in", b"abcd" + bytes(60))
    assert r.read("n.count") == str(len(SAID))
    said = capfd.readouterr().err
    assert sorted(line for line in said.splitlines() if "CheckPacket" in line) == [
        f"c{port} :: CheckPacket: {text}" for port, (_, text) in enumerate(SAID) if text
    ]


#: Where input 1's packets are changed, and how many pairs differ, and in what.
PAIRS = [
    ("", 1, {"more packets in [0]": 1}),
    ("StoreData(0, x) -> ", 3, {"different data": 2, "more packets in [0]": 1}),
    ("SetTimestamp(5) -> ", 3, {"different timestamp": 2, "more packets in [0]": 1}),
    (
        "Truncate(50) -> MarkIPHeader(1) -> ",
        3,
        {"different length": 2, "different network header presence": 2, "more packets in [0]": 1},
    ),
]


@pytest.mark.executors("native")
@pytest.mark.parametrize("change, different, by", PAIRS)
def test_pairs(router, change, different, by):
    """Of three packets and two."""
    r = router(
        f"""FromDevice(in) -> SetTimestamp(1) -> t :: Tee; t[0] -> Queue -> [0]c :: ComparePackets; t[1] -> s :: Switch -> {change} Queue
        -> [1]c; s[1] -> Discard; c[0] -> u0 :: Unqueue(ACTIVE false) -> n0 :: Counter -> Discard;
        c[1] -> u1 :: Unqueue(ACTIVE false) -> n1 :: Counter -> Discard;"""
    )
    for switch in ("0", "0", "1"):
        r.write("s.switch", switch)
        r.send("in", bytes(range(60)))
    r.write("u0.active", "true")
    r.write("u1.active", "true")
    details = dict(reversed(line.split("\t")) for line in r.read("c.diff_details").splitlines())
    assert {text: int(count) for text, count in details.items() if count != "0"} == by
    assert (r.read("c.diffs"), r.read("c.all_same")) == (str(different), "false")
    assert (r.read("n0.count"), r.read("n1.count")) == ("3", "2")


CASES = [Case('CheckPacket(DATA "abc", DATA_OFFSET 3)', packets=100), Case("CheckPacket(LENGTH_LE 100)", packets=100)]
#: What the kernel path gives up.
PUNTS = [Reach("CheckPacket(LENGTH 3)")]
