"""`read`, `write` and `drops` on a loaded router, whether its runtime runs or not."""

import json
import signal
import socket
import subprocess
from subprocess import PIPE

import pytest
from tests.axes import axis

from clickbpf.load.files.places import RunFolder
from clickbpf.load.process import service

from .conftest import OWN, command, environment, execute, kill

pytestmark = pytest.mark.needs("root", "ip", "clang-19")

#: IP packets end in the runtime, ARP and all others in the kernel.
SORTED = """
FromDevice(eth0) -> in :: Counter -> c :: Classifier(12/0806, 12/0800);
c[0] -> arp :: Counter -> d :: Discard;
c[1] -> u :: Counter -> rt :: StaticIPLookup(0/0 0) -> e :: Discard;
"""
ARP, IP, OTHER = (bytes(12) + ethertype + bytes(46) for ethertype in (b"\x08\x06", b"\x08\x00", b"\x88\xb5"))


@pytest.fixture(params=axis("its runtime runs", "its runtime is gone"))
def loaded(request, net, router, tmp_path):
    """The router, and a function that sends frames to it."""
    file = tmp_path / f"{OWN}.click"
    file.write_text(SORTED)
    done = execute(router, "load", "--user", "e", str(file))
    assert done.status == 0, done.err

    def send(*frames: bytes) -> None:
        def all() -> None:
            with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as out:
                out.bind(("eth0", 0))
                for frame in frames:
                    out.send(frame)

        net.namespaces[1].call(all)

    send.file = file
    if request.param == "its runtime is gone":
        kill(service.alive(RunFolder.of(OWN)))
    return send


def read(*words):
    return execute(None, "read", "-r", OWN, *words)


def test_patterns_in_clicks_format(loaded):
    done = read("[au]*.class", "c.class")
    assert (done.status, done.out) == (0, "arp.class:\nCounter\n\nu.class:\nCounter\n\nc.class:\nClassifier\n\n"), done.err
    assert [v["handler"] for v in json.loads(read("--json", "[aiu]*.count").out)] == ["in.count", "arp.count", "u.count"]
    assert [v["handler"] for v in json.loads(read("--json", "in.c[lo]*[gst]").out)] == ["in.class", "in.config", "in.count"]


def test_one_handler_has_no_title(loaded):
    assert read("c.class").out == "Classifier\n"
    assert json.loads(read("--json", "c.class").out) == {"router": OWN, "handler": "c.class", "value": "Classifier"}


def test_an_argument_is_in_the_handlers_word(loaded):
    assert read("rt.lookup 10.0.0.1").out.split() == ["0"]


def test_what_can_not_be_read_does_not_keep_the_rest_back(loaded):
    done = read("in.cuont", "cc.class", "c.class", "*.nosuch")
    assert (done.status, done.out) == (1, "c.class:\nClassifier\n\n")
    assert "in.cuont: no such handler\nhint: did you mean 'count'?" in done.err
    assert "cc.class: no such element\nhint: did you mean 'c'?" in done.err
    assert "no handler matches '*.nosuch'" in done.err


def test_a_routers_name_is_no_handler(loaded):
    """Other commands take it as a word."""
    for words in (("read", "-r", OWN, OWN, "c.class"), ("write", "-r", OWN, OWN, "in.reset")):
        assert f"error: {OWN}: no such handler\nhint: -r {OWN} chooses the router of that name\n" in execute(None, *words).err


def test_two_routers(router):
    """Which of them is said by an option where the words are handlers; both are unloaded at once."""
    names = [f"{OWN}1", f"{OWN}2"]
    for name in names:
        assert execute(router, "load", "-n", name, "-e", "Idle -> Discard").status == 0
    for words, hint in ((("read", "list"), "name one of them by -r: "), (("drops",), "name one of them: ")):
        done = execute(None, *words)
        assert done.status == 1 and f"error: more than one router is loaded\nhint: {hint}" in done.err
    done = execute(router, "unload", *names, names[0])
    assert (done.status, done.err) == (0, "".join(f"{name} unloaded\n" for name in names))


def test_several_are_written_to(loaded, tmp_path):
    loaded(ARP, ARP, IP)
    assert set(json.loads(read("--json", "[aiu]*.count").out)[n]["value"] for n in (0, 1)) != {"0"}
    assert execute(None, "write", "-r", OWN, "*.reset").status == 0
    assert {v["value"] for v in json.loads(read("--json", "[aiu]*.count").out)} == {"0"}
    loaded(ARP)
    assert execute(None, "write", "-r", OWN, "in.reset=", "arp.reset=").status == 0
    assert {v["value"] for v in json.loads(read("--json", "in.count", "arp.count").out)} == {"0"}
    loaded(ARP)
    (tmp_path / "lines").write_text("# counters\narp.reset\n\nin.rset 1\n")
    done = execute(None, "write", "-r", OWN, "-f", str(tmp_path / "lines"))
    assert done.status == 1 and "did you mean 'reset'?" in done.err
    assert read("arp.count").out == "0\n"


def test_a_file_is_written_as_it_is(router, tmp_path):
    """All lines to one handler, also from standard input; with a value besides nothing is written."""
    table = "FromDevice(eth0) -> rt :: RadixIPLookup(0/0 0); rt[0], rt[1] -> Discard; FromDevice(eth1) -> Discard;"
    assert execute(router, "load", "-n", OWN, "-e", table).status == 0
    (tmp_path / "routes").write_text("add 10.1.0.0/16 1\nadd 10.2.0.0/16 1\n")
    write = ("write", "-r", OWN, "rt.ctrl")
    assert execute(None, *write, "--file", str(tmp_path / "routes")).status == 0
    assert {"10.1.0.0/16", "10.2.0.0/16"} <= set(read("rt.table").out.split())
    for words in (("--file", "-"), ("-",)):
        text = f"add 10.{3 + len(words)}.0.0/16 1\nadd 10.{5 + len(words)}.0.0/16 1\n"
        done = subprocess.run(command(*write, *words), input=text, text=True, capture_output=True, env=environment(), timeout=60)
        assert done.returncode == 0, done.stderr
        assert {line.split()[1] for line in text.splitlines()} <= set(read("rt.table").out.split())
    before = read("rt.table").out
    for file, words, said in (("routes", ("rt.ctrl", "x"), "given twice"), ("none", ("rt.ctrl",), "cannot read")):
        done = execute(None, "write", "-r", OWN, "-f", str(tmp_path / file), *words)
        assert done.status == 1 and said in done.err
    assert read("rt.table").out == before


def test_drops_are_all_that_is_missing(loaded):
    loaded(*[ARP] * 5, *[IP] * 7, *[OTHER] * 3)
    told = json.loads(execute(None, "drops", OWN, "--json").out)
    counts = {(d["element"], d["class_name"]): d["count"] for d in told["drops"]}
    assert counts["d", "Discard"] >= 5 and counts["c", "Classifier"] >= 3
    assert counts.get(("e", "Discard"), 0) + counts.get(("rt", "StaticIPLookup"), 0) + counts.get(("u", "Counter"), 0) == 7
    assert sum(counts.values()) == told["total"] == int(read("in.count").out)
    assert {d["place"] for d in told["drops"] if d["element"] == "d"} == {f"{loaded.file}:3:27"}


def test_drops_for_people(loaded):
    assert execute(None, "drops", OWN).status == 0
    loaded(*[OTHER] * 4)
    lines = execute(None, "drops", OWN).out.splitlines()
    assert lines[0].split() == ["ELEMENT", "CLASS", "PLACE", "COUNT", "RATE", "BECAUSE"]
    assert any(line.startswith("c ") and "an element's rule said so" in line for line in lines)


@pytest.mark.parametrize("words", [("read", "-r", OWN, "in.count"), ("drops", OWN)])
def test_watching_ends_with_an_interrupt(loaded, words):
    with subprocess.Popen(command(*words, "--watch", "0.1", "--json"), env=environment(), stdout=PIPE, stderr=PIPE, text=True) as child:
        lines = [json.loads(child.stdout.readline()) for _ in range(3)]
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=60)
    assert (child.returncode, errors) == (130, "") and all(line["router"] == OWN for line in lines)
