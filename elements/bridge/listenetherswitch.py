from clickbpf.declare import BEARS_OFFLOADS, ONLY_COPIES, THREAD_SAFE, Copies

from ._switch import SwitchElement


class ListenEtherSwitch(SwitchElement, ports="-/=+", flow="#/[^#]", traits=BEARS_OFFLOADS | ONLY_COPIES | THREAD_SAFE):
    """learning Ethernet switch with an output for a copy of every packet

    Like EtherSwitch, but with one output more than inputs: a copy of every packet leaves by the last output. It runs in user space
    if the kernel path can't make the copies (see EtherSwitch).

    Arguments, handlers: those of EtherSwitch.

    Ports: any number of push inputs, and one push output more. Packets are Ethernet packets.

    Example:

        FromDevice(eth0) -> s :: ListenEtherSwitch -> Queue -> ToDevice(eth0);
        FromDevice(eth1) -> [1]s[1] -> Queue -> ToDevice(eth1);
        s[2] -> Print(seen) -> Discard;
    """

    weight = 330

    def copies(self) -> Copies:
        """Also, for each network, its output and the last one."""
        return [*super().copies(), *([self.noutputs - 1, port] for port in range(self.noutputs - 1))]
