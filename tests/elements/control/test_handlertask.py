"""HandlerTask: when it calls its handler."""

import pytest

pytestmark = pytest.mark.executors("native")


@pytest.fixture
def task(router):
    """task("ACTIVE false") counts its calls in the variable `n` of `s`."""
    return lambda options: router(f"s :: Script(TYPE PASSIVE, init n 0, set n $(add $n 1)); t :: HandlerTask(s.run, {options});")


def calls(r) -> tuple[str, str, str]:
    return r.read("t.count"), r.read("t.scheduled"), r.executor.runtime.handlers.read("s", "get", "n")


def test_it_runs_once(task):
    r = task("")
    r.write("s.step", "0")
    assert calls(r) == ("1", "false", "1")


def test_it_runs_each_time_it_is_scheduled(task):
    r = task("ACTIVE false")
    r.write("t.scheduled", "false")
    assert calls(r) == ("0", "false", "0")
    r.write("t.scheduled", "true")
    r.write("t.scheduled", "true")
    assert calls(r) == ("2", "false", "2")


def test_it_schedules_itself_until_it_is_stopped(router):
    """The script ends it after five turns."""
    text = "s :: Script(TYPE PASSIVE, init n 0, set n $(add $n 1), goto end $(lt $n 5), write t.reschedule false);"
    r = router(f"{text} t :: HandlerTask(s.run, ACTIVE false, RESCHEDULE true);")
    assert r.read("t.reschedule") == "true"
    r.write("t.scheduled", "true")
    assert calls(r) == ("5", "false", "5")


def test_a_handler_that_fails_is_reported(router, capsys):
    r = router("q :: Queue; Idle -> q -> Discard; t :: HandlerTask(q.capacity many, ACTIVE false);")
    r.write("t.scheduled", "true")
    assert "q.capacity" in capsys.readouterr().err
    assert r.read("t.count") == "1"
