"""The numbers of inputs by which the kernel path counts what it hands over (bpf/handover.h)."""

import re
from pathlib import Path

import pytest

from clickbpf.build.sources import folder
from clickbpf.compile import Compilation, check_file, check_text
from clickbpf.plan import Options
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
ROUTER = Path(__file__).parents[2] / "configs" / "iprouter.click"
SHARES = int(re.search(r"#define HANDOVER_SHARES (\d+)", (folder("bpf") / "handover.h").read_text())[1])
#: Element, and the number of its input 0.
PLACES = re.compile(r"(?:hand_over|jump)\(p, (\d+), \w+, (\d+)")


@pytest.mark.parametrize("chain", [False, True])
def test_no_two_inputs_have_one_number(chain):
    made = Compilation(check_file(ROUTER, LIBRARY), Options(chain=chain))
    elements = list(made.checked.instances.values())
    numbers = {int(element): int(share) for element, share in PLACES.findall(made.bpf_text)}
    inputs = [numbers[element] + port for element in numbers for port in range(elements[element].ninputs)]
    assert len(inputs) == len(set(inputs)) > 40
    assert max(inputs) < SHARES


def test_what_is_in_user_space_anyway_comes_first():
    """A router with more inputs than numbers shares those of elements in the kernel, of which most give nothing up."""
    nulls = " -> ".join(["Null"] * (2 * SHARES))
    made = Compilation(check_text(f"FromDevice(eth0) -> {nulls} -> x :: TimeRange -> Discard;", LIBRARY))
    assert dict(PLACES.findall(made.bpf_text))[str(made.plan.index["x"])] == "0"
