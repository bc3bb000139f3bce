"""A packet's path as text: a line for each element, also as comments in a packet file."""

import time

from clickbpf.observe.traced.events import Event, Kind
from clickbpf.observe.traced.headers import link_header
from clickbpf.observe.traced.packets import Step, Way
from clickbpf.observe.traced.pcapng import ETHERNET, INBOUND, OUTBOUND, RAW, PcapNg


def lines(way: Way) -> list[str]:
    """The lines about a packet: the first describes the packet, the last ones how it ended."""
    return [heading(way), *steps(way), *(f"    {end}" for end in way.ends)]


def heading(way: Way) -> str:
    first = way.events[0]
    when = time.strftime("%H:%M:%S", time.localtime(first.time // 1_000_000_000)) + f".{first.time // 1000 % 1_000_000:06}"
    more = " goes on" if way.goes_on else f" from {way.came_from}, {first.length} bytes"
    return f"{way.number} {when}{more}: {way.summary}"


def steps(way: Way) -> list[str]:
    width = max((len(_place(step)) for step in way.steps), default=0)
    classes = max((len(step.class_name) for step in way.steps), default=0)
    return [
        f"    {_place(step).ljust(width)}  {step.class_name.ljust(classes)}  {step.where.ljust(7)}  {', '.join(step.changes)}".rstrip()
        for step in way.steps
    ]


def _place(step: Step) -> str:
    """The element and, unless it is the first, its input, in Click's syntax."""
    return f"[{step.port}] {step.element}" if step.port else step.element


def write_way(dump: PcapNg, way: Way) -> None:
    """Write the packet as it came in, with its path as a comment, and then once for each time it left."""
    comments = ["\n".join(lines(way))]
    write_event(dump, way.events[0], way.came_from, comments, INBOUND)
    leaving = [event for event in way.events if event.kind is not Kind.INPUT]
    for event, end in zip(leaving, way.ends):
        if event.kind is not Kind.DROP:
            write_event(dump, event, end.split(",")[0].rpartition(" ")[2], [f"packet {way.number}: {end}"], OUTBOUND)


def write_event(dump: PcapNg, event: Event, interface: str, comments: list[str], direction: int = 0) -> None:
    """Write a packet as it was at an event. Without a link header it is written as raw IP from its IP header on, or unchanged if there is
    none."""
    if link_header(event) is not None:
        dump.write(interface, ETHERNET, event.time, event.bytes, event.length, comments, direction)
        return
    start = event.network or 0
    whole = event.before + event.bytes
    at = len(event.before) + start
    dump.write(interface, RAW, event.time, whole[at:], event.length - start, comments, direction)
