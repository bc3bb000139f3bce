"""ThreadMonitor: a line for each busy task."""

import re


def test_busy_tasks_are_told(threaded, capfd):
    router = threaded(
        "i :: InfiniteSource -> Discard; s :: Idle -> Queue -> u :: Unqueue -> Discard; StaticThreadSched(i 1); ThreadMonitor(20);"
    )
    router.start()
    router.run(until=iter([False, False, True]).__next__)
    router.stop()
    told = capfd.readouterr().err
    assert re.search(r"^\d+\.\d{3}: on thread 1: i :: InfiniteSource, cycles \d{4,}$", told, re.MULTILINE)
    assert "Unqueue" not in told, "it sleeps"
