"""A packet's path as text: a line for each element, also as comments in a packet file."""

import time

from clickbpf.observe.traced.events import Event, Kind
from clickbpf.observe.traced.headers import link_header
from clickbpf.observe.traced.packets import PacketPath, Step
from clickbpf.observe.traced.pcapng import ETHERNET, INBOUND, OUTBOUND, RAW, PcapNg


def lines(path: PacketPath) -> list[str]:
    """The lines about a packet: the first describes the packet, the last ones how it ended."""
    return [heading(path), *steps(path), *(f"    {end}" for end in path.ends)]


def heading(path: PacketPath) -> str:
    first = path.events[0]
    when = time.strftime("%H:%M:%S", time.localtime(first.time // 1_000_000_000)) + f".{first.time // 1000 % 1_000_000:06}"
    more = " goes on" if path.goes_on else f" from {path.came_from}, {first.length} bytes"
    return f"{path.number} {when}{more}: {path.summary}"


def steps(path: PacketPath) -> list[str]:
    width = max((len(_place(step)) for step in path.steps), default=0)
    classes = max((len(step.class_name) for step in path.steps), default=0)
    return [
        f"    {_place(step).ljust(width)}  {step.class_name.ljust(classes)}  {step.where.ljust(7)}  {', '.join(step.changes)}".rstrip()
        for step in path.steps
    ]


def _place(step: Step) -> str:
    """The element and, unless it is the first, its input, in Click's syntax."""
    return f"[{step.port}] {step.element}" if step.port else step.element


def write_path(dump: PcapNg, path: PacketPath) -> None:
    """Write the packet as it came in, with its path as a comment, and then once for each time it left."""
    comments = ["\n".join(lines(path))]
    write_event(dump, path.events[0], path.came_from, comments, INBOUND)
    leaving = [event for event in path.events if event.kind is not Kind.INPUT]
    for event, end in zip(leaving, path.ends):
        if event.kind is not Kind.DROP:
            write_event(dump, event, end.split(",")[0].rpartition(" ")[2], [f"packet {path.number}: {end}"], OUTBOUND)


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
