"""RandomSample: a probability decides."""

from tests.elements.bounds import likely

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))
PACKETS = 3000
CONFIGURATION = "FromDevice(in) -> x :: RandomSample(0.25) -> Queue -> ToDevice(out); x[1] -> Queue -> ToDevice(rest);"


def test_packets_are_sampled_with_the_probability(router):
    r = router(CONFIGURATION)

    def sampled() -> int:
        return sum(output.device == "out" for output in r.send("in", [FRAME] * PACKETS))

    count = sampled()
    assert likely(count, PACKETS, 0.25)
    assert r.read("x.drops") == str(PACKETS - count)
    r.write("x.drop_prob", "0.1")
    assert (r.read("x.sampling_prob"), r.read("x.drop_prob")) == ("0.9", "0.1")
    assert likely(sampled(), PACKETS, 0.9)
    for probability, expected in ((0, 0), (1, PACKETS)):
        r.write("x.sampling_prob", probability)
        assert sampled() == expected
    r.write("x.sampling_prob", 0)
    r.write("x.active", "false")
    assert sampled() == PACKETS
    assert r.read("x.config") == "SAMPLE 0, ACTIVE false"


def test_mistakes(element, refused):
    assert refused("RandomSample") == refused("RandomSample(2)") == "RandomSample: sampling probability must be between 0 and 1"
    assert refused("RandomSample(DROP 1.5)") == "RandomSample: sampling probability must be between 0 and 1"
    assert refused("RandomSample(100)") == "RandomSample: P: '100' is not a number from 0 to 1"
    assert refused("RandomSample(DROP 50%)") == "RandomSample: DROP: '50%' is not a number from 0 to 1"
    assert refused("RandomSample(SAMPLE .1, DROP .2)") == "RandomSample: give at most one of SAMPLE and DROP"
    x = element("RandomSample(0.5)")
    for wrong in ("1.01", "-0.1", "often"):
        x.refuses("drop_prob", wrong, "Must be given a number between 0.0 and 1.0")


CASES = [Case("RandomSample(0)", noutputs=2)]
