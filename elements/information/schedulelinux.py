from clickbpf.declare import CONTROL, Element


class ScheduleLinux(Element, ports="0/0", runs=CONTROL):
    """returns to Linux's scheduler

    In Click's kernel module, which keeps a CPU to itself, it says when Linux has its turn. Here Linux schedules the
    router's threads as it does all others, and the element has no effect.

    Example:

        FromDevice(eth0) -> Discard;
        linux :: ScheduleLinux;
        ScheduleInfo(linux 0.5);
    """
