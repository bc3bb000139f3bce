from clickbpf.declare import CHOOSES

from ._automaton import StringElement


class StringMatcher(StringElement, ports="1/1-2", processing="a/ah", traits=CHOOSES):
    """takes out packets that contain one of several texts

    A class of FastClick. A packet that contains one of the texts leaves by output 1, or is dropped if it isn't connected. Other
    packets leave by output 0. The time depends on the packet's length, not on the number of texts.

    The texts may be quoted, and written in hexadecimal digits, as in `\\<0d 0a>`. Strip headers that texts shouldn't be found in.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> s :: StringMatcher("root.exe", "cmd.exe");
        s[0] -> Unstrip(14) -> Queue -> ToDevice(eth1);
        s[1] -> IPPrint(intruder) -> Discard;
    """
