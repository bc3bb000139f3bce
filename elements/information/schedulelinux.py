from clickbpf.declare import CONTROL, Element


class ScheduleLinux(Element, ports="0/0", runs=CONTROL):
    """returns to Linux's scheduler

    In Click's kernel module, which doesn't yield its CPU otherwise, it lets Linux run. Here Linux schedules the router's threads
    like all others, and the element has no effect.

    Example:

        FromDevice(eth0) -> Discard;
        linux :: ScheduleLinux;
        ScheduleInfo(linux 0.5);
    """
