"""Questions to the solver end at once when the command does."""

import signal
import subprocess
import sys

import pytest

#: Asks for the factors of a product of two primes of 64 bits, without a limit.
HARD = """
from clickbpf import interrupts
from clickbpf.prove import solver

interrupts.unwind()
solver.PATIENCE = 0
asked, z3 = solver.new_solver("QF_BV"), solver.z3()
one, other = z3.BitVecs("one other", 128)
asked.add(one * other == 18446744073709551557 * 18446744073709551533, *(z3.UGT(z3.BitVecVal(1 << 64, 128), each) for each in (one, other)))
asked.add(z3.ULT(1, one), z3.ULT(1, other))
print("asked", flush=True)
print(asked.check())
"""


@pytest.mark.parametrize("number, status", [(signal.SIGTERM, 143), (signal.SIGINT, -signal.SIGINT)])
def test_an_interrupt_ends_a_question(number, status):
    with subprocess.Popen([sys.executable, "-c", HARD], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as asking:
        try:
            asking.stdout.readline()
            asking.send_signal(number)
            assert asking.wait(60) == status
        finally:
            asking.kill()
