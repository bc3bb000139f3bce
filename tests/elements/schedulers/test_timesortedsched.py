"""TimeSortedSched: the order of timestamps."""

import pytest

#: Packets of device i<port>t<n> bear the timestamp n seconds.
STAMPS = "".join(
    f"FromDevice(i{port}t{second}) -> SetTimestamp({second}) -> q{port};" for port in range(2) for second in range(1, 6)
)


def stamped(router, scheduler: str):
    return router(
        f"s :: {scheduler}; q0 :: Queue -> [0]s; q1 :: Queue -> [1]s; {STAMPS}"
        "s -> u :: Unqueue(ACTIVE false) -> Queue -> ToDevice(out);"
    )


def send(r, port: int, *seconds: int) -> None:
    for second in seconds:
        r.send(f"i{port}t{second}", bytes([second] * 60))


def pulled(r) -> list[int]:
    return [output.data[0] for output in r.write("u.active", "true")]


def test_sorted_streams_are_merged(router):
    r = stamped(router, "TimeSortedSched")
    send(r, 0, 1, 4, 5)
    send(r, 1, 2, 2, 3, 5)
    assert pulled(r) == [1, 2, 2, 3, 4, 5, 5] and r.read("s.well_ordered") == "true"


@pytest.mark.parametrize("buffer, order, sorted_", [(1, [2, 3, 1, 4], "false"), (2, [1, 2, 3, 4], "true")])
def test_a_buffer_puts_right_what_is_out_of_order(router, buffer, order, sorted_):
    r = stamped(router, f"TimeSortedSched(BUFFER {buffer})")
    send(r, 0, 2, 4)
    send(r, 1, 3, 1)
    assert pulled(r) == order and r.read("s.well_ordered") == sorted_


@pytest.mark.parametrize("stop, switch", [("true", "1"), ("false", "0")])
def test_it_stops_the_driver_when_nothing_comes(router, stop, switch):
    r = router(
        f"""
        FromDevice(a) -> Queue -> TimeSortedSched(STOP {stop}) -> Unqueue -> Discard;
        Idle -> over :: Switch(0) -> Discard; over[1] -> Discard;
        DriverManager(pause, write over.switch 1, pause, pause);
        """
    )
    r.send("a", bytes(60))
    assert r.read("over.switch") == switch


@pytest.mark.executors("native")
def test_the_input_that_got_room_last_is_pulled_first(router):
    """At first that is the last one, which the packets for the first one have not reached yet."""
    r = router("""
        FromDevice(a) -> Queue -> tee :: PullTee -> [0]s :: TimeSortedSched(BUFFER 4);
        tee[1] -> late :: Queue -> [1]s -> u :: Unqueue(LIMIT 1, ACTIVE false) -> Discard;
    """)
    r.send("a", [bytes(60)] * 3)
    r.write("u.active", "true")
    assert r.read("late.length") == "3"


MISTAKES = {"Idle -> TimeSortedSched(BUFFER 0) -> Discard;": ["TimeSortedSched: BUFFER must be at least 1"]}
