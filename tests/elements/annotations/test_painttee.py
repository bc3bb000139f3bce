"""PaintTee: packets of one colour leave twice."""



from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

FRAME = bytes(range(64))


def test_a_copy_of_that_colour_leaves_by_output_1(element):
    x = element("PaintTee(5)", noutputs=2, before="Paint(5)")
    x.send(FRAME)
    x.expect(1, FRAME, PAINT=5)
    x.expect(0, FRAME, PAINT=5)
    x.expect_nothing()
    x.write("color", "6")
    x.send(FRAME)
    x.expect(0, FRAME, PAINT=5)
    x.expect_nothing()
    assert x.read("color") == "6"


def test_pulled_packets_are_copied_too(router):
    r = router("FromDevice(eth0) -> Paint(1) -> Queue -> t :: PaintTee(1) -> ToDevice(eth1); t[1] -> Queue -> ToDevice(eth2);")
    r.send("eth0", FRAME)
    r.expect("eth1", FRAME)
    r.expect("eth2", FRAME)


CASES = [
    Case("PaintTee(5)", noutputs=2, before="Paint(5)", packets=500),
    Case("PaintTee(5)", noutputs=2, packets=500),
]


#: What the kernel path gives up, beside what the manual page's example does.
PUNTS = [Reach("PaintTee(5)", noutputs=2, before="Paint(5)")]
