"""RoundRobinSwitch: one after the other."""

from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


TRIALS = {
    "outputs take turns from the first": [
        Trial("RoundRobinSwitch", noutputs=outputs).each((FRAME, FRAME, number % outputs) for number in range(2 * outputs + 1))
        for outputs in [1, 4]
    ],
    # FastClick's argument and its handler; the next packet's output is chosen already.
    "fewer outputs can take turns": Trial("RoundRobinSwitch(2, SPLITBATCH false)", noutputs=3)
        .each((FRAME, FRAME, output) for output in (0, 1, 0, 1, 0)).reads(max="2").write("max", "3")
        .each((FRAME, FRAME, output) for output in (1, 2, 0)).write("max", "-1").reads(max="3")
        .refuses("max", "4", "bad number of outputs 4"),
}

CASES = [Case("RoundRobinSwitch", noutputs=3)]
MISTAKES = {"RoundRobinSwitch(2)": "bad number of outputs 2", "RoundRobinSwitch(0)": "bad number of outputs 0"}
