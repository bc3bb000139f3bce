"""HandlerAggregate: handlers of several elements."""

import pytest

from clickbpf.errors import ClickError

pytestmark = pytest.mark.executors("native")

COUNTERS = "FromDevice(a) -> c0 :: Counter -> Discard; FromDevice(b) -> c1 :: Counter -> Discard; Idle -> c2 :: Counter -> Discard; "


@pytest.fixture
def calls(router):
    """calls("add count") reads x.add of three counters that have seen 2 packets, 1 and none."""
    r = router(COUNTERS + "x :: HandlerAggregate(c0, ELEMENT c1, ELEMENT c2);")
    r.send("a", [bytes(60)] * 2)
    r.send("b", bytes(70))

    def read(text: str) -> str:
        handler, _, argument = text.partition(" ")
        return r.executor.runtime.handlers.read("x", handler, argument)

    read.router = r
    return read


def test_they_are_added_up(calls):
    assert (calls("add count"), calls("add byte_count"), calls("avg count"), calls("avg byte_count")) == ("3", "190", "1", "63.3333333333")


def test_texts_count_as_the_number_that_they_begin_with(router):
    texts = " ".join(f"s{i} :: Script(TYPE PASSIVE, export v {text!r});" for i, text in enumerate(["2.5x", "-1e2 ", "none", ".25", ""]))
    r = router(texts.replace("'", '"') + "x :: HandlerAggregate(s0, s1, s2, s3, s4);")
    for i, text in enumerate(["2.5x", "-1e2", "none", ".25", ""]):
        r.executor.runtime.handlers.write(f"s{i}", "set", f"v {text}")
    assert r.executor.runtime.handlers.read("x", "add", "v") == "-97.25"


def test_all_are_written_to(calls):
    calls.router.write("x.write", "reset")
    assert [calls.router.read(f"c{i}.count") for i in range(3)] == ["0"] * 3
    calls.router.write("x.write", "count_call 5 c0.reset")
    assert [calls.router.read(f"c{i}.count_call") for i in range(3)] == ["5"] * 3


@pytest.mark.parametrize("text", ["add none", "add", "add count 7", "avg reset"])
def test_bad_handlers(calls, text):
    with pytest.raises(ClickError):
        calls(text)


def test_secrets_stay_secret(router):
    """The name of a handler that needs a right doesn't give it."""
    table = "10.8.0.0/24 18.26.4.1 1 234 \\<0123456789abcdef0123456789abcdef> \\<112233445566778899aabbccddeeff00> 1 64"
    text = f"FromDevice(a) -> Strip(14) -> CheckIPHeader -> t :: RadixIPsecLookup({table}) -> Discard; t [1] -> Discard;"
    r = router(f"{text} x :: HandlerAggregate(t);")
    assert "0123456789abcdef" in r.read("t.table")
    with pytest.raises(ClickError, match="shows keys"):
        r.executor.runtime.handlers.read("x", "add", "table")
