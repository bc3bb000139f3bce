"""AutoRateFallback, MadwifiRate and ProbeTXRate: which rate a station's next packet is sent at, after reports on those before."""

import struct

import pytest
from tests.elements.wifi.frames import ACCESS_POINT, DATA, EVERYBODY, frame

pytestmark = pytest.mark.executors("native")

MAGIC, SENT, LOST, OTHER_RATE = 0x7492001, 1, 2, 4
EXTRA = struct.Struct("<II4B4B4BBBH")
RATES = "2 4 11 22 48 108"
CLASSES = {"AutoRateFallback": "", "MadwifiRate": "", "ProbeTXRate": ", WINDOW 1000"}


class Control:
    """A rate control, in a router that shows what it sets."""

    def __init__(self, router, class_name: str, more: str = "", rates: str = f"DEFAULT {RATES}"):
        self.r = router(
            f"t :: AvailableRates({rates}); x :: {class_name}(OFFSET 4, RT t{CLASSES[class_name]}{more});"
            "FromDevice(in) -> x -> ExtraEncap -> Queue -> ToDevice(out);"
            "FromDevice(reports) -> ExtraDecap -> [1]x[1] -> seen :: Counter -> Discard;",
            simtime=True,
        )

    def send(self, to: bytes = ACCESS_POINT) -> tuple[list[int], list[int]]:
        """The rates and numbers of tries that a packet to an address is sent with."""
        (packet,) = self.r.send("in", frame(DATA, b"body", to))
        assert packet.data.endswith(b"body")
        fields = EXTRA.unpack_from(packet.data)
        return list(fields[6:10]), list(fields[10:14])

    def report(self, rate: int, retries: int = 0, flags: int = 0, times: int = 1, to: bytes = ACCESS_POINT, body: bytes = b"") -> None:
        extra = EXTRA.pack(MAGIC, SENT | flags, 0, 0, 0, 0, rate, 0, 0, 0, 4, 0, 0, 0, 0, retries, 0)
        for _ in range(times):
            self.r.send("reports", extra + frame(DATA, body, to))

    def rate(self) -> int:
        return self.send()[0][0]

    def read(self, handler: str) -> str:
        return self.r.read(f"x.{handler}")


@pytest.fixture
def control(router):
    return lambda *arguments, **options: Control(router, *arguments, **options)


@pytest.mark.parametrize("class_name", CLASSES)
def test_groups_get_the_lowest_rate(control, class_name):
    assert control(class_name).send(EVERYBODY)[0] == [2, 0, 0, 0]
    assert control(class_name, rates="DEFAULT 12 24").send(b"\1\0\x5e\0\0\1")[0] == [12, 0, 0, 0]
    assert control(class_name, rates="02:00:00:00:00:09 4").send(EVERYBODY)[0] == [2, 0, 0, 0]


@pytest.mark.parametrize("class_name", CLASSES)
def test_stations_without_rates_get_none(control, class_name):
    c = control(class_name, rates="02:00:00:00:00:09 4")
    assert c.send() == ([0] * 4, [0] * 4)
    c.report(4)
    assert (c.read("rates"), c.r.read("seen.count")) == ("", "1")
    c.r.write("t.insert", "02:00:00:00:00:01 4 11")
    assert c.rate() in (4, 11)


@pytest.mark.parametrize("class_name", CLASSES)
def test_inactive_and_short(control, class_name):
    c = control(class_name)
    (short,) = c.r.send("in", b"\0" * 9)
    assert short.data[-9:] == b"\0" * 9
    c.r.write("x.active", "false")
    assert c.send() == ([0] * 4, [0] * 4)
    assert (c.read("active"), c.read("offset"), c.read("threshold"), c.read("debug")) == ("false\n", "4\n", "0\n", "false\n")


@pytest.mark.parametrize("class_name", CLASSES)
def test_stations_make_room_for_others(control, class_name):
    c = control(class_name, ", CAPACITY 3")
    for number in range(30):
        to = b"\2\0\0\0\1" + bytes([number])
        c.send(to)
        c.report(108, to=to)
    stations = [line for line in c.read("rates").splitlines() if line.startswith("02-")]
    assert len(stations) == 3 and any(line.startswith("02-00-00-00-01-1D") for line in stations)
    c.r.write("x.reset")
    assert c.read("rates") == ""


@pytest.mark.parametrize("class_name", CLASSES)
def test_rates_of_pulled_packets(router, class_name):
    r = router(
        f"t :: AvailableRates(DEFAULT 22); x :: {class_name}(OFFSET 4, RT t{CLASSES[class_name]});"
        "FromDevice(in) -> Queue -> x -> ExtraEncap -> ToDevice(out); Idle -> [1]x;"
    )
    (packet,) = r.send("in", frame(DATA, b"body"))
    assert EXTRA.unpack_from(packet.data)[6] == 22


def test_fallback_begins_with_the_highest_rate(control):
    c = control("AutoRateFallback")
    assert c.send() == ([108, 48, 22, 11], [4, 2, 2, 2])
    assert c.read("rates") == "02-00-00-00-00-01 108 0\n"


def test_fallback_steps_down_by_half_the_retries_less_one(control):
    c = control("AutoRateFallback")
    c.rate()
    for retries, flags, rate in ((1, LOST, 108), (2, LOST, 108), (4, LOST, 48), (7, OTHER_RATE, 11), (255, LOST, 2)):
        c.report(int(c.read("rates").split()[1]), retries, flags)
        assert c.rate() == rate
    assert c.send() == ([2, 0, 0, 0], [4, 0, 0, 0])


def test_fallback_steps_up_after_successes_without_retries(control):
    c = control("AutoRateFallback", ", STEPUP 3")
    c.rate()
    c.report(108, 4, LOST)
    c.report(48, 0, times=3)
    c.report(48, 1)
    c.report(108, 0, times=9)  # not at this rate
    c.report(48, 0, times=3)
    assert c.rate() == 48
    c.report(48)
    assert c.rate() == 108
    c.report(108, 4, LOST)  # soon after a step up: the next one takes twice as long
    c.report(48, 0, times=6)
    assert c.rate() == 48
    c.report(48)
    assert c.rate() == 108
    assert (c.read("stepup"), c.read("stepdown")) == ("3\n", "1\n")


def test_fallback_that_does_not_adapt(control):
    c = control("AutoRateFallback", ", STEPUP 3, ADAPTIVE_STEPUP false")
    c.rate()
    for _ in range(2):
        c.report(108, 4, LOST)
        c.report(48, 0, times=4)
        assert c.rate() == 108


@pytest.mark.parametrize("class_name", ["AutoRateFallback", "MadwifiRate"])
def test_short_packets_that_arrived_do_not_count(control, class_name):
    c = control(class_name, ", THRESHOLD 100")
    rate = c.rate()
    c.report(rate, times=5)
    assert c.read("rates").split()[2:4] in (["0"], ["successes", "0"])
    c.report(rate, body=bytes(76))
    assert c.read("rates").split()[2:4] in (["1"], ["successes", "1"])


@pytest.mark.parametrize("rates, first", [(RATES, 48), ("2 4 11 22 108", 22), ("12 18", 12)])
def test_madwifi_begins_in_the_middle(control, rates, first):
    assert control("MadwifiRate", rates=f"DEFAULT {rates}").rate() == first


def test_madwifi_judges_each_period(control):
    c = control("MadwifiRate", ", PERIOD 100")
    assert c.send() == ([48, 22, 11, 4], [4, 2, 2, 2])
    c.report(48, 0, LOST)
    assert c.read("rates") == "02-00-00-00-00-01 48 successes 0 failures 1 retries 4 credits 0\n"
    c.r.advance(0.1)
    assert c.read("rates") == "02-00-00-00-00-01 22 successes 0 failures 0 retries 0 credits 0\n"
    c.report(22, 1, times=10)  # too few to judge by
    c.r.advance(0.1)
    assert c.rate() == 22
    c.report(22, 2, times=11)  # each was retried
    c.r.advance(0.1)
    assert c.rate() == 11


def test_madwifi_steps_up_after_ten_good_periods(control):
    c = control("MadwifiRate", ", PERIOD 100")
    c.rate()
    for period in range(9):
        c.report(48, times=20)
        c.report(48, 1)  # fewer than a tenth
        c.r.advance(0.1)
        assert c.read("rates").endswith(f" credits {period + 1}\n")
    c.report(48, 2, times=11)  # a step down ends it
    c.r.advance(0.1)
    assert (c.rate(), c.read("rates").split()[-1]) == (22, "0")
    for _ in range(10):
        assert c.rate() == 22
        c.report(22, times=11)
        c.r.advance(0.1)
    assert c.rate() == 48


def test_madwifi_and_other_rates(control):
    c = control("MadwifiRate")
    c.rate()
    c.report(48, 0, OTHER_RATE)
    assert "successes 1 failures 0 " in c.read("rates")
    c.r.write("x.alt_rate", "true")
    c.report(48, 0, OTHER_RATE)
    assert "successes 1 failures 1 retries 4 " in c.read("rates")


def test_times_of_probing(control):
    """1500 bytes at 1 Mbit/s: 192 us of preamble, 12000 of data, 10 of pause, 304 of acknowledgement, 20 * 31 / 2 of waiting; at 54 Mbit/s
    20 + 222 (222.2, and the preamble counts as bits), 9, 30, and 9 * 31 / 2."""
    c = control("ProbeTXRate", rates="DEFAULT 2 108")
    c.rate()
    assert c.read("rates") == "02-00-00-00-00-01\n" + "".join(
        f" {rate} success 0 fail 0 tries 0 perfect_usecs {time} total_usecs 0 average_usecs 0 average_tries 0\n"
        for rate, time in ((2, 192 + 12000 + 10 + 304 + 310), (108, 2 * (20 + 12000) // 108 + 9 + 30 + 139))
    )
    c.report(108, 1)  # the second time the window is 64: 9 * 64 / 2
    c.report(108, 1, LOST)
    time = 2 * (222 + 9 + 30) + 139 + 288
    wanted = f" 108 success 1 fail 1 tries 4 perfect_usecs 400 total_usecs {2 * time} average_usecs {2 * time} average_tries 2.000000"
    assert c.read("rates").splitlines()[2] == wanted
    c.r.advance(1.1)
    c.rate()
    assert c.read("rates").splitlines()[2].endswith("total_usecs 0 average_usecs 0 average_tries 0")


def test_the_longest_time_is_bounded(control):
    """The window grows to 1023: 31, 64, 130, 262, 526, and 1023 for the other 251 of 256 tries."""
    c = control("ProbeTXRate", rates="DEFAULT 4")
    c.rate()
    c.report(4, 255, LOST)
    once = 2 * (96 + 12000) // 4 + 10 + 304
    assert f" total_usecs {256 * once + 10 * (31 + 64 + 130 + 262 + 526 + 251 * 1023)} " in c.read("rates")


def test_probing_takes_the_fastest_rate_that_arrives(control):
    c = control("ProbeTXRate")
    assert c.send() == ([108, 108, 0, 0], [4, 2, 0, 0])  # nothing has arrived: nothing to compare with
    c.report(108, 0, LOST, times=3)
    assert c.rate() == 48
    c.report(22, times=2)
    assert c.rate() == 22
    c.report(48, 9, times=2)  # slower, with nine retries
    assert c.rate() == 22
    c.report(48, 0, times=100)
    assert c.rate() == 48
    assert c.send() == ([48, 48, 0, 0], [4, 2, 0, 0])


def test_long_times_add_up(control):
    """A thousand reports of 256 tries each at 1 Mbit/s are more than an hour and a half; 2^32 microseconds are 71 minutes."""
    c = control("ProbeTXRate", rates="DEFAULT 2 4")
    c.rate()
    c.report(2, 255, times=1000)
    c.report(4, 140)  # half as long: by 71 minutes less, the other rate would seem faster
    once = 192 + 12000 + 10 + 304
    total = 256 * once + 10 * (31 + 64 + 130 + 262 + 526 + 251 * 1023)
    assert f" 2 success 1000 fail 0 tries 256000 perfect_usecs 12816 total_usecs {1000 * total} average_usecs {total} " in c.read("rates")
    assert c.rate() == 4


def test_every_tenth_packet_probes(control):
    c = control("ProbeTXRate")
    c.rate()
    c.report(22)
    rates = []
    for number in range(1, 401):
        (first, second, *_), tries = c.send()
        rates.append(first)
        assert (second, tries[0]) == (22, 4 if number % 10 else 2)
    tenths = rates[9::10]
    assert all(rate == 22 for i, rate in enumerate(rates) if i % 10 != 9)
    assert set(tenths) == {22, 48, 108}  # the others can't be faster


def test_results_are_bounded(control):
    c = control("ProbeTXRate", ", RESULTS 5")
    c.rate()
    c.report(22, times=9)
    assert " 22 success 5 fail 0 tries 5 " in c.read("rates")
    other = b"\2\0\0\0\0\7"
    c.send(other)
    c.report(22, to=other)  # nothing left for it
    c.report(48, times=2)
    text = c.read("rates")
    assert " 22 success 3 fail 0 tries 3 " in text and " 48 success 2 " in text and text.count("success 0") == 10


def test_results_of_forgotten_stations_make_room(control):
    c = control("ProbeTXRate", ", CAPACITY 1, RESULTS 2")
    for number in range(4):
        to = b"\2\0\0\0\1" + bytes([number])
        c.send(to)
        c.report(22, times=2, to=to)
        assert " 22 success 2 " in c.read("rates")


def test_short_packets_that_were_lost_do_not_count(control):
    c = control("ProbeTXRate", ", THRESHOLD 100")
    c.rate()
    c.report(22, 0, LOST)
    c.report(22)
    c.report(22, 0, LOST, body=bytes(76))
    assert " 22 success 1 fail 1 " in c.read("rates")


def test_what_is_said(control, capfd):
    c = control("AutoRateFallback", ", DEBUG true")
    c.rate()
    c.report(108, 4, LOST)
    c.report(48, times=11)
    said = (" is 108", "stepping down for {} from 108 to 48", "steping up for {} from 48 to 108")
    wanted = [f"x :: AutoRateFallback: {s}" for s in ("initial rate for {}" + said[0], *said[1:])]
    assert capfd.readouterr().err.splitlines() == [line.format("02-00-00-00-00-01") for line in wanted]


def test_mistakes(refused_router):
    head, tail = "t :: AvailableRates; Idle -> x :: ", "; Idle -> [1]x; x -> Discard;"
    assert "WINDOW must be > 0" in refused_router(f"{head}ProbeTXRate(RT t){tail}")
