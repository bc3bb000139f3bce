"""Meter and BandwidthMeter: outputs by the present rate."""

import pytest

OUTPUTS = "m[0] -> c0 :: Counter -> Discard; m[1] -> c1 :: Counter -> Discard; m[2] -> c2 :: Counter -> Discard;"


def counts(r) -> list[int]:
    return [int(r.read(f"c{port}.count")) for port in range(3)]


def offer(r, rate: int, seconds: float, length: int) -> list[int]:
    """Packets at an even rate; how many of them left by each output in the second half."""
    for _ in range(2):
        before = counts(r)
        for _ in range(round(rate * seconds / 2)):
            r.send("a", bytes(length))
            r.advance(1 / rate)
    return [now - then for now, then in zip(counts(r), before)]


@pytest.mark.parametrize("class_, length", [("Meter(1000, 2000)", 60), ("BandwidthMeter(100kBps, 1600kbps)", 100)])
def test_packets_leave_by_the_output_of_their_rate(router, class_, length):
    r = router(f"FromDevice(a) -> m :: {class_}; {OUTPUTS}", simtime=True)
    for port, rate in enumerate((900, 1500, 2500)):
        got = offer(r, rate, 0.4, length)
        assert got[port] == sum(got) > 0
    unit = 1 if class_.startswith("Meter") else length
    assert float(r.read("m.rate")) == pytest.approx(2500 * unit, rel=0.1)
    r.advance(1)
    assert r.read("m.rate") == "0"


def test_the_average_rises_as_a_moving_average_of_a_sixteenth(router):
    """3 packets a millisecond reach 2 when 3 (1 - (15/16)^n) >= 2: after n = 18 milliseconds that are over."""
    r = router(f"FromDevice(a) -> m :: Meter(1000, 2000); {OUTPUTS}", simtime=True)
    for _ in range(30):
        r.send("a", [bytes(60)] * 3)
        r.advance(0.001)
    # 1 is reached after 7 of them: 3 (1 - (15/16)^7) = 1.09.
    assert counts(r) == [21, 33, 36]


def test_handlers_show_the_rates(router):
    r = router(f"FromDevice(a) -> m :: Meter(1000, 2000); {OUTPUTS}")
    assert (r.read("m.meters"), r.read("m.rate")) == ("10002000", "0")


def test_mistakes(refused):
    assert "too few arguments" in refused("Meter()", 2)
    assert refused("Meter(x)", 2) == "Meter: argument 1 syntax error"
    assert refused("Meter(2000, 1000)", 3) == "Meter: rate 2 must be > rate 1"
    assert refused("BandwidthMeter(5MBps)", 2) == "BandwidthMeter: rate 1 too large (max 4194303)"
    assert refused("Meter(1, 2)", 2) == "Meter: need 1 arguments, one less than the number of output ports"


def test_bandwidths_should_have_units(router, capfd):
    router(f"FromDevice(a) -> m :: BandwidthMeter(10kbps, 2000); {OUTPUTS}")
    said = capfd.readouterr().err
    assert "no units for bandwidth argument 2, assuming Bps" in said and "argument 1," not in said
    router(f"FromDevice(a) -> m :: Meter(2000, 3000); {OUTPUTS}")
    assert "bandwidth" not in capfd.readouterr().err, "its rates are packets per second"
