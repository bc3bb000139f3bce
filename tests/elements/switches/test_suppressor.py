"""Suppressor: shut ports drop what is pushed and don't pull."""

import pytest

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


def test_packets_keep_to_their_port_and_shut_ports_drop(element):
    x = element("Suppressor(anything, will do)", ninputs=3, noutputs=3)
    x.write("active1", "false")
    assert [x.read(f"active{port}") for port in range(3)] == ["true", "false", "true"]
    for port in range(3):
        x.send(FRAME, port)
    x.expect(0, FRAME)
    x.expect(2, FRAME)
    x.expect_nothing()
    assert x.dropped("DISCARDED") == 1
    x.write("reset")
    x.passes(FRAME, output=1, input=1)


def test_packets_wait_before_a_shut_pull_port(router):
    r = router("FromDevice(in0) -> q :: Queue -> x :: Suppressor -> ToDevice(out0);")
    r.write("x.active0", "false")
    r.send("in0", [FRAME, FRAME])
    r.expect_nothing()
    assert r.read("q.length") == "2"
    r.write("x.active0", "true")
    r.send("in0", FRAME)
    for _ in range(3):
        r.expect("out0", FRAME)


def test_mistakes(element):
    x = element("Suppressor")
    x.refuses("active0", "maybe", "maybe")
    with pytest.raises(Exception, match="active1"):
        x.read("active1")


CASES = [Case("Suppressor", ninputs=2, noutputs=2, writes=[("x.active1", "false")])]
