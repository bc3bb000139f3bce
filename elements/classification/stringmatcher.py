from clickbpf.declare import CHOOSES

from ._automaton import StringElement


class StringMatcher(StringElement, ports="1/1-2", processing="a/ah", traits=CHOOSES):
    """takes out packets that have one of several texts

    A class of FastClick. A packet that has one of the texts anywhere leaves by output 1, or is dropped if that isn't there. Others leave by
    output 0. The time that this takes is that for the packet's bytes, however many texts there are.

    The texts may be quoted, and written in hexadecimal digits, as in `\\<0d 0a>`. Give the class packets without the headers in which texts
    aren't to be found.

    Ports: one input; output 0, and push output 1, which may be missing.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> s :: StringMatcher("root.exe", "cmd.exe");
        s[0] -> Unstrip(14) -> Queue -> ToDevice(eth1);
        s[1] -> IPPrint(intruder) -> Discard;
    """
