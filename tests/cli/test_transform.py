"""Commands that make one configuration of another, as click-undead, click-xform and their kin do."""

import subprocess
import sys
from pathlib import Path

import pytest

from clickbpf.lang.archive import read_archive

from .conftest import environment

CLICKBPF = Path(sys.executable).with_name("clickbpf")
SOURCES = "in :: FromDevice(eth0) -> Null -> out :: ToDevice(eth1); Idle -> dead :: Counter -> Discard"


def flat(done) -> list[str]:
    """The lines of a configuration."""
    assert done.status == 0, done.err
    return [line.strip() for line in done.out.splitlines() if line.strip()]


def test_undead(clickbpf, tmp_path):
    done = clickbpf("undead", "-e", SOURCES)
    assert flat(done) == ["in :: FromDevice(eth0);", "out :: ToDevice(eth1);", "in -> out;"]
    assert done.err == ""
    told = clickbpf("undead", "-V", "-e", SOURCES).err
    assert "removing 'dead :: Counter'" in told
    file = tmp_path / "out.click"
    assert clickbpf("undead", "-k", "-o", str(file), "-e", SOURCES).out == ""
    assert "Null" not in file.read_text()
    done = clickbpf("undead", "-e", "Idle -> Discard")
    assert (done.out, done.err) == ("", "warning: no live elements in configuration\n")


def test_undead_warns_of_classes_that_it_has_to_guess_about(clickbpf):
    assert "unknown element class 'Mystery'" in clickbpf("undead", "-e", "Mystery -> Discard").err


@pytest.mark.parametrize("tool", ["flatten", "undead", "fastclassifier", "align"])
def test_connections_as_written(clickbpf, tool):
    """Connections keep the order of the text; those within a compound element follow, and those through its ports are last, as in the
    output of Click's tools. Slashes in names don't make compound elements."""
    text = (
        "elementclass C { input -> t :: Tee -> p :: Print -> output; t [1] -> n :: Counter -> p } z :: Discard; s :: Switch;"
        "s [1] -> z; i :: InfiniteSource -> s; s [2] -> c :: C -> q :: Queue -> d :: Discard; s -> m :: Counter -> z"
    )
    written = ["s [1] -> z;", "i -> s", "-> m", "-> z;", "c/t [1] -> c/n", "-> c/p", "-> q", "-> d;", "s [2] -> c/t", "-> c/p;"]
    done = clickbpf(tool, "-e", text)
    assert flat(done)[-len(written) :] == written
    assert flat(clickbpf(tool, "-e", done.out)) == flat(done)


def test_align(clickbpf):
    done = clickbpf("align", "-e", "m :: Mystery -> c :: CheckIPHeader -> Discard")
    assert "Align(4, 0);" in done.out
    assert "AlignmentInfo(c  4 0);" in done.out
    assert done.err == "warning: added 1 Align element\n"


def test_xform(clickbpf, tmp_path):
    patterns, file = tmp_path / "p.clickpat", tmp_path / "f.click"
    patterns.write_text(
        "elementclass X { input -> Counter -> Counter -> output; }\nelementclass X_Replacement { input -> Twice -> output; }\n"
    )
    file.write_text("a :: A -> Counter -> Counter -> b :: B")
    for words in (("-p", str(patterns), "-f", str(file)), (str(file), str(patterns))):
        assert flat(clickbpf("xform", *words)) == [
            "a :: A;", "b :: B;", "X@1/Twice@1 :: Twice;", "a -> X@1/Twice@1", "-> b;"
        ]  # fmt: skip
    assert "Twice" in clickbpf("xform", "-p", str(patterns), "-e", "A -> Twice -> B").out
    assert "Twice" not in clickbpf("xform", "-r", "-p", str(patterns), "-e", "A -> Twice -> B").out
    assert clickbpf("xform", "-e", "A -> B").err == "warning: no patterns read\n"
    done = clickbpf("xform", "-p", "/nonexistent", "-e", "A -> B")
    assert (done.status, done.out) == (1, "")


def test_fastclassifier(clickbpf):
    text = "FromDevice(a) -> c :: Classifier(12/0800, -); c[1] -> Discard; c[0] -> d :: Classifier(23/06, -) -> Discard; d[1] -> Discard"
    assert "Classifier(12/0800 23/06, 12/0800, -);" in clickbpf("fastclassifier", "-q", "-u", "-e", text).out
    assert "d :: Classifier(23/06, -);" in clickbpf("fastclassifier", "--no-combine", "-e", text).out


@pytest.fixture
def network(tmp_path):
    """Two routers of a network."""
    for name in "AB":
        (tmp_path / name).write_text(f"q{name} :: Queue; FromDevice(eth0) -> q{name} -> ToDevice(eth1);")
    return tmp_path


def test_combine_and_uncombine(clickbpf, network):
    whole = network / "whole"
    done = clickbpf("combine", f"A={network}/A", f"B={network}/B", "A.eth1=B.eth0", "-o", str(whole))
    assert (done.status, done.err) == (0, "")
    members = read_archive(whole.read_bytes(), "whole")
    assert members["componentmap"] == b"A\nB\n"
    assert b"RouterLink(A ToDevice@3 ToDevice, eth1, B FromDevice@2 FromDevice, eth0)" in members["config"]
    for name in "AB":
        part = network / f"part{name}"
        assert clickbpf("uncombine", str(whole), name, "-o", str(part)).status == 0
        ours, theirs = (set(flat(clickbpf("flatten", str(path)))) for path in (part, network / name))
        assert ours == theirs


def test_combined_by_options(clickbpf, network):
    words = ("-n", "A", "-f", f"{network}/A", "-n", "B", "-e", "FromDevice(x) -> Discard", "-l", "A.eth1=B.x")
    done = clickbpf("combine", "-c", *words)
    assert done.out.startswith("A/qA :: Queue;")
    assert "!<arch>" not in done.out


@pytest.mark.parametrize(
    "words, said",
    [
        ((), "no routers specified"),
        (("A={0}/A", "A={0}/B"), "two routers named 'A'"),
        (("A={0}/A", "A.eth1=C.eth0"), "no router named 'C'"),
        (("A={0}/A", "B={0}/B", "A.eth1=B.eth9"), "router 'B' has no element or device named 'eth9'"),
        (("{0}/A",), "a router needs a name"),
        (("A={0}/nothing",), "cannot read"),
    ],
)
def test_what_cannot_be_combined(clickbpf, network, words, said):
    done = clickbpf("combine", *(word.format(network) for word in words))
    assert (done.status, done.out) == (1, "")
    assert said in done.err


def test_what_was_not_combined_cannot_be_taken_apart(clickbpf, network):
    assert "not created by 'combine'" in clickbpf("uncombine", f"{network}/A", "A").err
    assert "no component specified" in clickbpf("uncombine", f"{network}/A").err
    whole = network / "whole"
    clickbpf("combine", f"A={network}/A", "-o", str(whole))
    assert "no 'B' component" in clickbpf("uncombine", str(whole), "B").err


@pytest.mark.parametrize(
    "name, words, text, shown",
    [
        *(
            (f"click-{name}", [], SOURCES, "in :: FromDevice(eth0);")
            for name in ("undead", "align", "xform", "fastclassifier")
        ),
        ("click-check", ["-u"], "Idle -> Discard", ""),
    ],
)
def test_under_the_names_of_clicks_tools(tmp_path, name, words, text, shown):
    link = tmp_path / name
    link.symlink_to(CLICKBPF)
    done = subprocess.run([link, *words], input=text, capture_output=True, text=True, env=environment(), timeout=60, check=True)
    assert shown in done.stdout
