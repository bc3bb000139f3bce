from ..common._entries import InformationElement


class TSCClock(InformationElement):
    """accepts the arguments by which FastClick chooses a clock

    FastClick takes the time from the processor's counter if this element is there, and that of its timers from an element JiffieClock.
    Here the kernel keeps the time, which it takes from that counter itself, and nothing reads the arguments. JiffieClock and LinuxClock
    are other names of the class.

    Arguments:

      - KEYWORD: whatever FastClick understands.

    Example:

        TSCClock(NOWAIT true);
        JiffieClock();
        FromDPDKDevice(0) -> Discard;
    """

    aliases = ("JiffieClock", "LinuxClock")
