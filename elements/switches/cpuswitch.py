from clickbpf.declare import PUSH, Element


class CPUSwitch(Element, ports="1/1-", processing=PUSH):
    """sends packets to outputs by the thread, or the CPU, that pushes them

    A packet on thread n leaves by output n, modulo the number of outputs. So each thread can have a path of its own, with elements
    that need no locks. In the kernel, n is the CPU's number; with `load --spread 2,4`, CPU 2 is thread 0, and CPU 4 thread 1.

    Example:

        FromDevice(eth0) -> s :: CPUSwitch;
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
    """
