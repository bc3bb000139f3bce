"""RandomSwitch: every output is equally likely."""

from collections import Counter

from tests.elements.bounds import likely

PACKETS = 3000


def test_outputs_get_equal_shares(router):
    r = router(
        "FromDevice(in0) -> x :: RandomSwitch;" + "".join(f"x[{port}] -> Queue -> ToDevice(out{port});" for port in range(3))
    )
    frame = bytes(range(60))
    devices = [output.device for output in r.send("in0", [frame] * PACKETS)]
    shares = Counter(devices)
    assert sum(shares.values()) == PACKETS
    assert all(likely(shares[f"out{port}"], PACKETS, 1 / 3) for port in range(3)), shares
    # What comes next does not depend on what was last: of nine pairs each is as likely.
    pairs = Counter(zip(devices, devices[1:]))
    assert len(pairs) == 9 and all(likely(count, PACKETS - 1, 1 / 9) for count in pairs.values()), pairs


def test_one_output_gets_all(element):
    x = element("RandomSwitch")
    x.passes(bytes(60))
