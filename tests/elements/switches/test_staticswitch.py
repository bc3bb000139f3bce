"""StaticSwitch: one output for all."""

from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))

TRIALS = {
    "packets leave by one output": [Trial(f"StaticSwitch({output})", noutputs=3).passes(FRAME, output=output) for output in [0, 2]],
    "an output that is not there drops": [
        Trial(f"StaticSwitch({output})", noutputs=3).drops(FRAME, reason="DISCARDED")
        for output in [-1, 3]
    ],
}

CASES = [Case("StaticSwitch(1)", noutputs=2)]
