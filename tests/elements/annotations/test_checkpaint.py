"""CheckPaint: packets of one colour pass."""


from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


def test_others_leave_by_output_1(element):
    x = element("CheckPaint(5)", noutputs=2, before="Paint(5)")
    x.send(FRAME)
    x.expect(0, FRAME, PAINT=5)
    x.write("color", "6")
    x.send(FRAME)
    x.expect(1, FRAME, PAINT=5)
    assert x.read("color") == "6"


def test_pulled_packets_of_others_are_pushed_to_output_1(router):
    r = router("FromDevice(eth0) -> Queue -> c :: CheckPaint(1) -> ToDevice(eth1); c[1] -> Queue -> ToDevice(eth2);")
    r.send("eth0", FRAME)
    r.expect("eth2", FRAME)
    r.expect_nothing()


CASES = [Case("CheckPaint(1)", noutputs=2, packets=500)]
