from __future__ import annotations

from clickbpf.vocabulary.element import CONTROL, Element


class ScheduleLinux(Element):
    """returns to Linux's scheduler

    Synopsis: `ScheduleLinux`

    In Click's kernel module, which keeps a CPU to itself, it says when Linux has its turn. Here Linux schedules the
    router's threads as it does all others, and the element has no effect.

    Ports: none.

    Example:

        FromDevice(eth0) -> Discard;
        linux :: ScheduleLinux;
        ScheduleInfo(linux 0.5);
    """

    ports = "0/0"
    runs = CONTROL
