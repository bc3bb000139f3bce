"""Routers whose programs are too complex for the verifier are divided into shorter ones, as a user meets it."""

from argparse import Namespace

import pytest

from clickbpf.build.bpf import build_program
from clickbpf.cli.load import SHORTEST, with_shorter_programs
from clickbpf.errors import TooComplex
from clickbpf.testing.traffic import ping

from .conftest import OWN, execute


@pytest.mark.whole
@pytest.mark.needs("root", "ip", "clang-19")
def test_load_cuts_long_ones(net, router, tmp_path):
    """What the verifier adds to them is too much."""
    file = tmp_path / f"{OWN}.click"
    file.write_text(f"FromDevice(eth0) -> {'Counter -> ' * 70} Queue -> ToDevice(eth1); FromDevice(eth1) -> Queue -> ToDevice(eth0);")
    done = execute(router, "load", "--program-limit", "100000", str(file))
    assert done.status == 0, done.err
    assert ping(net.namespaces[1], "10.0.0.2", 2) == 2


@pytest.mark.needs("clang-19")
def test_build_says_what_helps(tmp_path):
    """Of a program that clang is done with soon."""
    file = tmp_path / "long.bpf.c"
    file.write_text('int entry(void *ctx) { if (ctx) asm volatile(".rept 40000; r0 = r0; .endr"); return 0; }')
    with pytest.raises(TooComplex, match="too long for a BPF jump") as error:
        build_program(file)
    assert "--program-limit" in error.value.diagnostics[0].hint


def test_at_last_the_verifier_is_right():
    options, limits = Namespace(program_limit=16_000), []

    def load() -> None:
        limits.append(options.program_limit)
        raise TooComplex("too large")

    with pytest.raises(TooComplex):
        with_shorter_programs(options, load)
    assert limits == [16_000, 4000, 1000, SHORTEST]
