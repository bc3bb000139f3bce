from clickbpf.declare import PUSH, Element


class CPUSwitch(Element, ports="1/1-", processing=PUSH):
    """sends packets to outputs by the thread, or the CPU, that pushes them

    A packet that comes on thread n leaves by output n, modulo the number of outputs. So each thread can have a way of its
    own, whose elements need no locks. In the kernel the number of the CPU counts.

    Example:

        FromDevice(eth0) -> s :: CPUSwitch;
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
    """
