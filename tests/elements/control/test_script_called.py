"""Scripts whose handlers are called: what callers get, and where complaints go."""

import pytest
from tests.elements.running import ran, running

from clickbpf.runtime.handlers import HandlerError


def test_errors_have_their_handlers_above_them(capsys, monkeypatch):
    """Click's layout, also for errors of scripts that scripts call."""
    monkeypatch.setenv("CLICKBPF_MESSAGES", "click")
    text = (
        "s :: Script(wait 1ms, write p.run a b, print $?, print p.run, write q.capacity x, print $(mod 1), stop);"
        "p :: Script(TYPE PASSIVE, error oh $args); InfiniteSource(LIMIT 0) -> q :: Queue -> Discard;"
    )
    with running(text, clock=10**9) as router:
        router.advance(10**7)
    lines = capsys.readouterr().err.splitlines()
    assert lines[:5] == [
        "While executing 's :: Script':",
        "  While calling 'p.run a b':",
        "    oh a b",
        "  While calling 'p.run':",
        "    oh ",
    ]
    assert lines[5] == "  While calling 'q.capacity x':"
    assert lines[-1] == "  expected two numbers"


#: `run` complains and succeeds; `fail` complains and fails.
COMPLAINING = (
    "s :: Script(TYPE PASSIVE, label top, read q.nosuch, write q.capacity x, goto end perhaps, return 42);"
    "e :: Script(TYPE PASSIVE, read q.nosuch, errorq); p :: Script(TYPE PROXY, read q.nosuch, return $0);"
    "InfiniteSource(LIMIT 0) -> q :: Queue -> Discard;"
)


def test_complaints_inside_a_script_make_no_handler_fail(capsysbinary, monkeypatch):
    """As in Click: the value is there, `$?` is 0, and only `error` fails."""
    monkeypatch.setenv("CLICKBPF_MESSAGES", "click")
    script = (
        'print "<$(s.run)>", write s.run, print "$?", write s.goto top, print "$?", print "<$(p.any)>", write p.any, print "$?",'
        'write e.run, print "$?", print "<$(e.run)>", write s.run'
    )
    ran(f"Script({script}); {COMPLAINING}", clock=10**9)
    out, err = capsysbinary.readouterr()
    assert out == b"<42>0\n0\n<any>0\n-1\n<>"
    said = [line.strip() for line in err.decode().splitlines()]
    assert said[-5:-3] == ["While calling 's.run':", "no 'q.nosuch' read handler"] and said[-1] == "bad condition 'perhaps'"


@pytest.mark.parametrize(
    "write, result",
    [
        ("s.run", 1),
        ("s.goto there", 1),
        ("s.step", 1),
        ("e.run", 0),
        ("p.go", 1),
        ("p.rest", 0),
        ("p.step 0", 0),
        ("c.run", 1),
    ],
)  # fmt: skip
def test_a_handler_whose_script_stops_returns_1(write, result, capsysbinary):
    """As Click does: 1 also if it complained, 0 after any other end. `$0` names the handler, `step` and `goto` too."""
    router = (
        f'Script(write {write}, print "$?"); s :: Script(TYPE PASSIVE, label there, stop); e :: Script(TYPE PASSIVE, exit);'
        "p :: Script(TYPE PROXY, goto stop $(eq $0 go), return x); c :: Script(TYPE PASSIVE, write nosuch.x, stop)"
    )
    ran(router)
    assert capsysbinary.readouterr().out.decode() == f"{result}\n"


def test_arguments_are_forgotten_when_the_script_stops():
    """As in Click; after another end they stay for those who step on."""
    router = "s :: Script(TYPE PASSIVE, goto stop $(eq $1 stop), return $args, label again, return <$args>)"
    with running(router) as made:
        handlers = made.handlers
        assert handlers.read("s", "run", "go on") == "go on"
        assert handlers.write("s", "goto", "again") == 0 and handlers.read("s", "get", "_") == "<go on>"
        assert handlers.write("s", "run", "stop now") == 1
        assert handlers.write("s", "goto", "again") == 0 and handlers.read("s", "get", "_") == "<>"


def test_complaints_reach_who_calls_the_handler_from_outside():
    """With the value of a handler that didn't fail."""
    with running(COMPLAINING) as router:
        for handler, result, value in (("s", 0, "42"), ("e", -1, None)):
            with pytest.raises(HandlerError, match="no 'q.nosuch' read handler") as error:
                router.handlers.read(handler, "run")
            assert (error.value.result, error.value.value) == (result, value)


def test_a_handler_that_fails_is_read_with_its_title(capsys):
    """Click's format."""
    ran(f"Script(read e.run); {COMPLAINING}")
    assert capsys.readouterr().err.endswith("    no 'q.nosuch' read handler\ne.run:\n\n")


@pytest.mark.parametrize("handler, result", [("q.capacity", -1), ("c.count_call", -22)])
def test_what_a_handler_that_fails_returns(handler, result, capsysbinary):
    """As Click's: those that change an argument of the configuration return -1."""
    ran(f'Idle -> c :: Counter -> q :: Queue -> Discard; Script(write {handler} x, print "$?")')
    assert capsysbinary.readouterr().out.decode() == f"{result}\n"
