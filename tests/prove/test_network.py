"""Networks of routers: what reaches whom, and loops. What is refuted, a packet shows that went through the running routers."""

import json
from pathlib import Path

import pytest

from clickbpf.cli.main import main

pytestmark = pytest.mark.needs("root", "clang-19")

ROUTER = """
FromDevice(eth0) -> in :: Classifier(12/0800, -); FromDevice(eth1) -> in; in[1] -> Discard;
in[0] -> Strip(14) -> CheckIPHeader(CHECKSUM false) -> rt :: StaticIPLookup({routes});
rt[0] -> DecIPTTL -> EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2) -> Queue -> ToDevice(eth0);
rt[1] -> DecIPTTL -> EtherEncap(0x0800, 2:0:0:0:0:3, 2:0:0:0:0:4) -> Queue -> ToDevice(eth1);
"""
LEFT, RIGHT = "10.0.1.0/24 0, 10.0.2.0/24 1", "10.0.2.0/24 0, 10.0.1.0/24 1"
REACHED = "from A.eth0 valid dst net 10.0.2.0/24 and src net 10.0.1.0/24 and ip ttl > 2: on B.eth0"
LOOPS = "forall: no loops"
CHANGES = "forall sent ip: only ip ttl, ip checksum, ether change"
#: Two routers take one from the TTL each.
EXPIRES = "from B.eth0 ip ttl <= 2: not on A.eth0"


def answers(folder: Path, capfd, right: str, *questions: str, text: str = ROUTER) -> list[dict]:
    """What `verify` says of two routers, of which one has these routes."""
    for name, routes in (("A", LEFT), ("B", right)):
        (folder / name).write_text(text.format(routes=routes))
    links = "A.eth1=B.eth1", "B.eth1=A.eth1"
    assert main(["combine", f"A={folder}/A", f"B={folder}/B", *links, "-o", str(folder / "net.click")]) in (None, 0)
    capfd.readouterr()
    main(["verify", str(folder / "net.click"), "--json", *(word for text in questions for word in ("-q", text))])
    return json.loads(capfd.readouterr().out)


def test_a_sound_network(tmp_path, capfd):
    asked = REACHED, LOOPS, CHANGES, EXPIRES, EXPIRES.replace("<= 2", "<= 3")
    found = answers(tmp_path, capfd, RIGHT, *asked)
    assert [each["answer"] for each in found] == ["proved"] * 4 + ["refuted"], found
    example = found[-1]["example"]
    assert (example["fate"], example["way"], example["devices"]) == ("sent", ["B.eth0", "A.eth1"], ["A.eth0"])
    before, after = (bytes.fromhex(example[key]) for key in ("packet", "leaves"))
    assert (before[22], after[22]) == (3, 1)


@pytest.mark.whole
def test_checksums_that_several_routers_verify(tmp_path, capfd):
    """Who sends right checksums isn't refused by the next router."""
    (found,) = answers(tmp_path, capfd, RIGHT, REACHED, text=ROUTER.replace("(CHECKSUM false)", ""))
    assert found["answer"] == "proved", found


@pytest.mark.whole
def test_planted_mistakes(tmp_path, capfd):
    """A route that leads back, and a route that half of the hosts don't have."""
    (loop,) = answers(tmp_path, capfd, RIGHT.replace("0/24 0", "0/24 0, 10.0.2.128/25 1"), LOOPS)
    assert (loop["answer"], loop["example"]["fate"]) == ("refuted", "in a loop")
    assert loop["example"]["way"] == ["A.eth0", "B.eth1", "A.eth1", "B.eth1"]
    (lost,) = answers(tmp_path, capfd, RIGHT.replace("10.0.2.0/24", "10.0.2.0/25"), REACHED)
    assert (lost["answer"], lost["example"]["fate"], lost["example"]["way"]) == ("refuted", "dropped", ["A.eth0", "B.eth1"])
    assert bytes.fromhex(lost["example"]["packet"])[33] >= 128
    assert lost["example"]["drops"] == [{"element": "B/rt", "reason": "NO_ROUTE"}]
