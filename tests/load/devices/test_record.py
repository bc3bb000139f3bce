"""A router's record: what is read is what was written, also by the version before, or is refused with what to do."""

import json

import pytest

from clickbpf.errors import ClickError
from clickbpf.load.access.listing import describe
from clickbpf.load.devices.lanes import Lanes
from clickbpf.load.devices.links import TcFilter
from clickbpf.load.devices.pair import Pair
from clickbpf.load.devices.record import Record, record
from clickbpf.load.devices.settings import Change, Peer
from clickbpf.load.files import states
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.life.loader import load
from clickbpf.load.life.replace import replace
from clickbpf.load.life.unload import unload
from clickbpf.objects.made import MadeDevice

#: As a router wrote it before records were declared.
OLD = """{
 "library": ["/usr/local/classes"], "threads": 2, "affinity": 1, "mode": "native", "crossing": "ring", "priority": 60,
 "spread": {"cpus": [1, 0], "fields": "hosts", "handing": 0}, "queues": 2, "interrupts": [0, 1],
 "devices": {"in": "eth0"}, "ifindexes": {"in": 7}, "namespace": "4026531840:1",
 "made": [{"name": "fake0", "index": 9, "made": {"device": "fake0", "element": "f", "address": "192.0.2.1/24", "gateway": null,
  "ether": null, "mtu": 1500, "arp": true}}],
 "changes": [{"peer": {"device": "eth1", "ifindex": 3, "namespace": "/run/netns/host", "identity": "4026531841:2"},
  "feature": "tx-checksumming", "before": true}],
 "filters": [{"ifindex": 7, "direction": "egress", "handle": 1, "priority": 2, "made_qdisc": true, "path": false}]
}"""
READ = Record(
    mode="native",
    changes=(Change(Peer("eth1", 3, "/run/netns/host", "4026531841:2"), "tx-checksumming", True),),
    filters=(TcFilter(7, "egress", 1, 2, True),),
    library=("/usr/local/classes",),
    threads=2,
    affinity=1,
    crossing="ring",
    priority=60,
    spread=Lanes((1, 0), "hosts", 0),
    queues=2,
    interrupts=(0, 1),
    devices={"in": "eth0"},
    ifindexes={"in": 7},
    namespace="4026531840:1",
    made=(Pair("fake0", 9, MadeDevice("fake0", "f", "192.0.2.1/24")),),
)


def test_what_is_read_is_what_was_written(tmp_path):
    folder = RunFolder(tmp_path)
    assert record(folder) == Record()
    assert Record.from_json(OLD, "router") == READ
    READ.write(folder)
    assert record(folder) == READ
    assert json.loads(folder.record.read_text()).keys() == json.loads(OLD).keys()


def test_members_of_other_versions():
    """An earlier one hadn't some, a later one has more."""
    assert Record.from_json('{"mode": "tc", "later": 1}', "router") == Record(mode="tc")


@pytest.mark.parametrize("text", ["", "no JSON", "[1]", '{"changes": [{"feature": "gro"}]}', '{"spread": 7}'])
def test_what_is_no_record_is_refused(text):
    with pytest.raises(ClickError, match="the record of router can't be read") as caught:
        Record.from_json(text, "router")
    assert "clickbpf unload router" in caught.value.diagnostics[0].hint


@pytest.mark.needs("root", "ip", "tc", "ethtool", "clang-19")
def test_a_router_whose_record_is_damaged_can_be_listed_and_removed(router, request_for):
    request = request_for(fix_veth=False)
    router.call(load, request)
    folder = RunFolder.of(request.name)
    folder.record.write_text('{"changes": 7}')
    assert describe(request.name).state == states.INCOMPLETE
    with pytest.raises(ClickError, match="can't be read"):
        router.call(replace, request)
    with pytest.raises(ClickError, match="can't be read"):
        unload(request.name, request.say)
    assert not folder.exists() and not Pins.of(request.name).exists()
    assert "prog/xdp" not in router.ip("-d", "link")
