"""AvailableRates: what is known of stations, those that are heard of included."""

import pytest
from tests.elements.swapped import runtime
from tests.elements.wifi.frames import ASSOCIATION_RESPONSE, ESS, RATES, STATION, element, frame, words

from clickbpf.errors import ClickError

pytestmark = pytest.mark.executors("native")


@pytest.fixture
def heard(router):
    """heard(arguments) is a router with an AvailableRates of these arguments, and what hears of a station: hear(number, rates)."""

    def make(arguments: str):
        r = router(f"t :: AvailableRates({arguments}); FromDevice(eth0) -> AssociationRequester(RT t) -> Discard;")

        def hear(number: int, rates: bytes) -> None:
            sender = b"\2" + number.to_bytes(5, "big")
            r.send("eth0", frame(ASSOCIATION_RESPONSE, words(ESS, 0, 1) + element(RATES, rates), STATION, sender, sender))

        return r, hear

    return make


def test_arguments(heard):
    r, _ = heard("DEFAULT 2 4, 02:00:00:00:00:01 2 11, 02:00:00:00:00:02 12")
    first = "DEFAULT  2 4\n02-00-00-00-00-01  2 11\n"
    assert r.read("t.rates") == first + "02-00-00-00-00-02  12\n"
    r.write("t.insert", "02:00:00:00:00:02 22 108")
    assert r.read("t.rates") == first + "02-00-00-00-00-02  22 108\n"
    r.write("t.remove", "02:00:00:00:00:02")
    assert r.read("t.rates") == first
    r.write("t.insert", "DEFAULT 22")
    assert r.read("t.rates") == "DEFAULT  22\n02-00-00-00-00-01  2 11\n"


def test_only_default_rates_are_learnt(heard):
    r, hear = heard("DEFAULT 2 4 11")
    hear(5, b"\x82\x16\x0b\x30")
    assert r.read("t.rates") == "DEFAULT  2 4 11\n02-00-00-00-00-05  2 11\n"
    r, hear = heard("")
    hear(5, b"\x82\x16\x0b\x30")
    assert r.read("t.rates") == "02-00-00-00-00-05  2 22 11 48\n"


def test_stations_of_the_air_make_room_for_each_other_only(heard):
    r, hear = heard("02:00:00:00:00:01 2, 02:00:00:00:00:02 4, CAPACITY 4")
    for number in range(10, 60):
        hear(number, b"\2")
    lines = r.read("t.rates").splitlines()
    assert len(lines) == 4
    assert {"02-00-00-00-00-01  2", "02-00-00-00-00-02  4", "02-00-00-00-00-3B  2"} <= set(lines)


def test_a_table_of_configured_stations_is_full(heard):
    r, hear = heard("02:00:00:00:00:01 2, CAPACITY 1")
    hear(7, b"\2")
    assert r.read("t.rates") == "02-00-00-00-00-01  2\n"


def test_nobody_has_no_rates(heard, capfd):
    r, hear = heard("")
    r.send("eth0", frame(ASSOCIATION_RESPONSE, words(ESS, 0, 1) + element(RATES, b"\2"), STATION, bytes(6), bytes(6)))
    assert r.read("t.rates") == ""


@pytest.mark.parametrize("handler, text", [("insert", "02:00:00:00:00:01"), ("insert", "x 2"), ("insert", "DEFAULT 256"), ("remove", "x")])
def test_wrong_calls(heard, handler, text):
    r, _ = heard("")
    with pytest.raises(ClickError):
        r.write(f"t.{handler}", text)


@pytest.mark.parametrize(
    "wrong, said",
    [
        ("02:00:00:00:00:01", "must have > 1 arg"),
        ("elsewhere 2 4", "must start with ethernet address"),
        ("DEFAULT " + " ".join(["2"] * 24), "too many rates"),
        ("DEFAULT 2 x", "'x' is not an integer from 0 to 255"),
    ],
)
def test_mistakes(refused_router, wrong, said):
    assert said in refused_router(f"AvailableRates({wrong});")


def test_a_new_router_knows_the_stations():
    old = runtime("t :: AvailableRates(DEFAULT 2 4, 02:00:00:00:00:01 2)")
    old.handlers.write("t", "insert", "02:00:00:00:00:02 4 11")
    new = runtime("t :: AvailableRates(DEFAULT 22, 02:00:00:00:00:03 12)", replaces=old)
    lines = new.handlers.read("t", "rates").splitlines()
    assert lines[0] == "DEFAULT  22"
    assert set(lines[1:]) == {"02-00-00-00-00-01  2", "02-00-00-00-00-02  4 11", "02-00-00-00-00-03  12"}
    new.close()
