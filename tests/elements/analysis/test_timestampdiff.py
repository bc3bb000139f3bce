"""RecordTimestamp and TimestampDiff: what is measured between them."""

import struct

import pytest

from clickbpf.errors import ClickError

pytestmark = pytest.mark.executors("native")


def numbered(number: int, order: str = "=", byte: int = 0) -> bytes:
    return bytes([byte]) * 20 + struct.pack(f"{order}Q", number) + bytes(40)


@pytest.fixture
def measured(router):
    """measured("OFFSET 20", "OFFSET 20"): packets of `a` are recorded, packets of `b` are looked up."""

    def make(record: str, diff: str, counter: str = ""):
        return router(
            f"FromDevice(a) -> {counter} r :: RecordTimestamp({record}) -> Queue -> ToDevice(out);"
            f"FromDevice(b) -> d :: TimestampDiff(r, {diff}) -> Queue -> ToDevice(known); d [1] -> Queue -> ToDevice(unknown);",
            simtime=True,
        )

    return make


def asked(r, number: int, **more) -> str:
    """The device that the packet with the number leaves by."""
    (output,) = r.send("b", numbered(number, **more))
    return output.device


def read(r, handler: str, argument: str = "") -> str:
    return r.executor.runtime.handlers.read("d", handler, argument)


@pytest.fixture
def four(measured):
    """Delays of 1, 2, 4 and 9 ms; the second and third packets' first byte is 0x23, the others' 0x11."""
    r = measured("OFFSET 20", "OFFSET 20, TC_OFFSET 0, TC_MASK 0x0f")
    r.send("a", [numbered(i) for i in range(4)])
    for number, (wait, byte) in enumerate([(1, 0x11), (1, 0x23), (2, 0x23), (5, 0x11)]):
        r.advance(wait / 1000)
        assert asked(r, number, byte=byte) == "known"
    return r


def test_delays(four):
    assert read(four, "dump_list") == "1000\n2000\n4000\n9000\n"
    assert read(four, "dump") == "0: 1000\n1: 2000\n2: 4000\n3: 9000\n"
    assert [read(four, h) for h in ("index", "last", "min", "max", "average", "avg")] == ["3", "9000", "1000", "9000", "4000", "4000"]
    # squares of the distances from 4000: 9, 4, 0 and 25 million
    assert read(four, "stddev") == f"{(38e6 / 4) ** 0.5:.12g}"


def test_delays_from_one_on(four):
    assert [read(four, h, "2") for h in ("min", "max", "avg", "median")] == ["4000", "9000", "6500", "9000"]
    assert [read(four, h, "4") for h in ("min", "max", "avg", "median")] == ["0", "0", "0", "0"]


def test_percentiles(four):
    """A quarter of four delays is below the second."""
    names = ("perc00", "perc01", "perc25", "median", "perc75", "perc99", "perc100")
    assert [read(four, name) for name in names] == ["1000", "1000", "2000", "4000", "9000", "9000", "9000"]
    assert [read(four, "perc", p) for p in ("0", "24.9", "25", "74 1")] == ["1000", "1000", "2000", "9000"]


def test_averages_by_a_byte(four):
    assert [read(four, "avg_tc", tc) for tc in ("1", "3", "3 2", "2")] == ["5000", "3000", "4000", "0"]


@pytest.mark.parametrize("handler, argument", [("perc", "x"), ("perc", "101"), ("perc", ""), ("avg_tc", ""), ("avg", "-1")])
def test_what_can_t_be_read(four, handler, argument):
    with pytest.raises(ClickError):
        read(four, handler, argument)


def test_times_that_are_not_known(measured, capfd):
    r = measured("OFFSET 20, N 3", "OFFSET 20")
    r.send("a", [numbered(0), numbered(3), bytes(27)])
    assert [asked(r, number) for number in (0, 0, 1, 3)] == ["known", "unknown", "unknown", "unknown"]
    assert [output.device for output in r.send("b", bytes(27))] == ["unknown"]
    said = capfd.readouterr().err
    assert "r: no room for number 3" in said and "r: a packet ends before its number" in said
    assert "r: timestamp 0 read multiple times" in said and "r: index 3 is out of range" in said
    assert read(r, "index") == "0"


def test_without_an_offset_packets_count_as_they_come(measured):
    r = measured("", "OFFSET 20")
    r.send("a", [bytes(60)] * 2)
    assert [asked(r, number) for number in (1, 2)] == ["known", "unknown"]


def test_samples(measured):
    """Of every third number; the others pass."""
    r = measured("OFFSET 20, SAMPLE 3, N 2", "OFFSET 20, SAMPLE 3")
    r.send("a", [numbered(i) for i in range(7)])
    assert [asked(r, number) for number in range(7)] == ["known"] * 6 + ["unknown"]
    assert read(r, "index") == "1"


def test_the_order_of_bytes_is_that_of_who_numbers(measured):
    r = measured("OFFSET 20, COUNTER n", "OFFSET 20", "n :: NumberPacket(20, NET_ORDER true) ->")
    r.send("a", [bytes(60)] * 2)
    assert [asked(r, 1), asked(r, 1, order=">")] == ["unknown", "known"]


def test_nanoseconds_and_what_takes_too_long(measured, capfd):
    r = measured("OFFSET 20", "OFFSET 20, NANO true, MAXDELAY 10, N 1")
    r.send("a", [numbered(i) for i in range(3)])
    r.advance(0.01)
    assert [asked(r, 0), asked(r, 1)] == ["known", "known"]
    r.advance(0.001)
    assert asked(r, 2) == "known"
    assert read(r, "dump_list") == "10000000\n"
    assert "d: packet 2 took 11 ms, more than 10 ms" in capfd.readouterr().err


def test_nothing_yet(measured):
    r = measured("OFFSET 20", "OFFSET 20")
    assert [read(r, h) for h in ("index", "last", "min", "max", "avg", "stddev", "median", "dump")] == ["-1", *["0"] * 6, ""]
