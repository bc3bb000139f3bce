from ..common._entries import InformationElement


class TSCClock(InformationElement):
    """accepts the arguments by which FastClick chooses a clock

    In FastClick, this element makes the CPU's time-stamp counter the clock, and JiffieClock selects the timers' clock. Here the
    kernel keeps the time, by that counter itself, and the arguments have no effect. JiffieClock and LinuxClock are other names of
    the class.

    Arguments:

      - KEYWORD: an argument of FastClick.

    Example:

        TSCClock(NOWAIT true);
        JiffieClock();
        FromDPDKDevice(0) -> Discard;
    """

    aliases = ("JiffieClock", "LinuxClock")
