"""What a traced runtime reports about packets, and that it reports nothing before and afterwards."""

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError
from clickbpf.observe.traced.events import Event, Kind, events
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.tracing import ETHERNET, MOST_PACKETS, RAW, compile_filter
from clickbpf.vocabulary.library import Library

TEXT = """
FromDevice(eth0) -> kind :: Classifier(12/0800, -);
kind[0] -> strip :: Strip(14) -> two :: Tee -> q :: Queue -> Null -> Unqueue -> EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2)
    -> Queue -> ToDevice(eth0);
two[1] -> d :: Discard;
kind[1] -> d;
"""


@pytest.fixture
def runtime():
    with Runtime(Compilation(check_text(TEXT, Library.standard(())))) as made:
        yield made


def packet(port: int) -> bytes:
    return bytes(Ether(dst="02:00:00:00:00:01") / IP(src="10.0.0.1", dst="10.0.0.2") / UDP(dport=port) / bytes(20))


def begin(runtime: Runtime, text: str = "", number: int = 1, most: int = MOST_PACKETS):
    link, raw = (compile_filter(runtime.library, text, kind) for kind in (ETHERNET, RAW))
    with runtime.locked():
        return runtime.begin_trace(link, raw, number, most)


def end(runtime: Runtime, trace) -> None:
    with runtime.locked():
        trace.end()


def classes(runtime: Runtime, found: list[Event]) -> list[str]:
    names = list(runtime.instances.values())
    return [type(names[event.element]).class_name() for event in found if event.kind is Kind.INPUT]


def test_inputs_by_push_and_pull_copies_and_ends(runtime):
    trace = begin(runtime)
    runtime.inject("eth0", packet(1))
    found = list(events(trace.read()[0]))
    assert sorted(classes(runtime, found)) == sorted(
        ["FromDevice", "Classifier", "Strip", "Tee", "Queue", "Null", "Unqueue", "EtherEncap", "Queue", "ToDevice", "Discard"]
    )
    assert len({event.number for event in found}) == 1, "copies are reported under their packet's number"
    assert sorted(event.kind for event in found if event.kind is not Kind.INPUT) == [Kind.DROP, Kind.SENT]
    stripped = next(event for event in found if event.element is not None and classes(runtime, [event]) == ["Tee"])
    assert stripped.bytes == packet(1)[14:] and stripped.before == packet(1)[:14] and stripped.mac == -14
    end(runtime, trace)
    runtime.collect("eth0")


def test_only_what_the_filter_takes_and_only_so_many(runtime):
    trace = begin(runtime, "udp dst port 7", most=2)
    for port in (7, 8, 7, 7):
        runtime.inject("eth0", packet(port))
    found = list(events(trace.read()[0]))
    assert len({event.number for event in found}) == 2
    assert {event.bytes[36:38] for event in found if event.bytes[:6] == b"\x02\0\0\0\0\x01" and event.mac == 0} == {b"\0\x07"}
    end(runtime, trace)


def test_nothing_when_it_is_over(runtime):
    end(runtime, begin(runtime))
    runtime.inject("eth0", packet(1))
    trace = begin(runtime, number=2)
    assert trace.read() == (b"", 0)
    end(runtime, trace)


def test_a_packet_that_waits_from_one_trace_to_the_next_is_numbered_anew():
    text = "FromDevice(eth0) -> q :: Queue -> out :: Unqueue(ACTIVE false) -> n :: Null -> Discard"
    with Runtime(Compilation(check_text(text, Library.standard(())))) as runtime:
        first = begin(runtime)
        runtime.inject("eth0", packet(1))
        (number,) = {event.number for event in events(first.read()[0])}
        end(runtime, first)
        second = begin(runtime, number=2)
        runtime.handlers.write("out", "active", "true")
        runtime.settle()
        (later,) = {event.number for event in events(second.read()[0])}
        assert number != later and later >> 24 & 0x7F == 2
        end(runtime, second)


@pytest.mark.whole
def test_events_without_room_are_counted(runtime):
    """Some 10,000 packets of 10 events each are more than the memory for them."""
    trace = begin(runtime)
    for _ in range(3000):
        runtime.inject("eth0", packet(1))
    told = 0
    first, missed = trace.read()
    while first:
        told += len(list(events(first)))
        first, more = trace.read()
        missed += more
    assert told + missed == 3000 * 13 and missed
    end(runtime, trace)


def test_a_filter_that_libpcap_refuses(runtime):
    with pytest.raises(ClickError, match="the filter 'udp dst port' can't be used: .*syntax error"):
        compile_filter(runtime.library, "udp dst port", ETHERNET)


def test_a_filter_asks_no_resolver(runtime):
    with pytest.raises(ClickError, match="the filter has the name 'www.example.com', and names aren't looked up"):
        compile_filter(runtime.library, "host www.example.com", ETHERNET)


@pytest.mark.whole
def test_a_filter_that_takes_long(runtime):
    with pytest.raises(ClickError, match="it takes [0-9]+ instructions, and may take 8192"):
        compile_filter(runtime.library, f"port {' or '.join(map(str, range(1, 500)))}", ETHERNET)
