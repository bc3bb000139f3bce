"""Routers whose programs are too complex for the verifier are divided into shorter ones, as a user meets it."""

from argparse import Namespace

import pytest

from clickbpf.classify import MOST_RULES
from clickbpf.cli.load import SHORTEST, with_shorter_programs
from clickbpf.compile import Compilation, check_file
from clickbpf.errors import TooComplex
from clickbpf.plan import Options
from clickbpf.testing.traffic import ping
from clickbpf.vocabulary.library import Library

from .conftest import OWN, execute

RULES = ", ".join(f"deny src host 172.16.{number >> 8}.{number & 255} && dst port {number}" for number in range(MOST_RULES + 10))


@pytest.fixture
def filters(tmp_path):
    """Ten filters, each of which has the verifier check more than 100,000 instructions, in one line."""
    file = tmp_path / f"{OWN}.click"
    line = " -> ".join(f"IPFilter({RULES}, allow all)" for _ in range(10))
    back = "FromDevice(eth1) -> Queue -> ToDevice(eth0);"
    file.write_text(f"FromDevice(eth0) -> MarkIPHeader(14) -> {line} -> Queue -> ToDevice(eth1); {back}")
    return file


@pytest.mark.whole
@pytest.mark.needs("root", "ip", "clang-19")
def test_load_cuts_them(net, router, filters):
    done = execute(router, "load", str(filters))
    assert done.status == 0, done.err
    assert "too long or too complex for the kernel" in done.err
    assert ping(net.namespaces[1], "10.0.0.2", 2) == 2


@pytest.mark.whole
@pytest.mark.needs("root", "ip", "clang-19")
def test_load_cuts_long_ones(net, router, tmp_path):
    """What the verifier adds to them is too much."""
    file = tmp_path / f"{OWN}.click"
    file.write_text(f"FromDevice(eth0) -> {'Counter -> ' * 70} Queue -> ToDevice(eth1); FromDevice(eth1) -> Queue -> ToDevice(eth0);")
    done = execute(router, "load", "--program-limit", "100000", str(file))
    assert done.status == 0, done.err
    assert ping(net.namespaces[1], "10.0.0.2", 2) == 2


@pytest.mark.whole
def test_build_says_what_helps(tmp_path):
    file = tmp_path / "long.click"
    file.write_text(f"FromDevice(eth0) -> {'Counter -> ' * 120} Queue -> ToDevice(eth1);")
    with pytest.raises(TooComplex, match="too long for a BPF jump"):
        Compilation(check_file(file, Library.standard()), Options(program_limit=100_000)).build_bpf()


def test_at_last_the_verifier_is_right():
    options, limits = Namespace(program_limit=16_000), []

    def load() -> None:
        limits.append(options.program_limit)
        raise TooComplex("too large")

    with pytest.raises(TooComplex):
        with_shorter_programs(options, load)
    assert limits == [16_000, 4000, 1000, SHORTEST]
