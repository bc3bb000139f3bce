import ctypes

from clickbpf.declare import (
    ANEW, KEPT, PUSH, SAME, USER, ArgError, Array, Constants, Element, ElementRef, EtherAddress, Held, Integer, Keyword, Required, Self,
    Time, Vars, read_handler, s32, u8, u16, u32, u64,
)

#: The protocol's unit of time, 1/256 s, in ns.
TICK = 10**9 / 256
#: 16-bit times in this unit.
SPAN = Time(low=int(2 * TICK) + 1, high=255 * 10**9)
STATES = ("blocking", "listening", "learning", "forwarding")
#: The identifier of port 0: its priority and number.
PORT_ID = 0x8001
#: The information of a port before any message: the worst message.
WORST = (0xFFFFFFFFFFFFFFFF, 0, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF)


class EtherSpanTree(Element, ports="-/=", processing=PUSH, runs=USER):
    """IEEE 802.1D spanning tree protocol

    Exchanges messages with the other switches on its networks, to form a tree: the switch with the smallest identifier is the root,
    and links that would close a loop carry no packets until other links fail. To shut and open ports, it controls two Suppressors,
    one before the switch and one after it. While the topology changes, it makes the switch forget addresses sooner.

    A port opens after twice FORWARD_DELAY: during the first, its packets are dropped; during the second, the switch learns
    addresses from them, but forwards nothing to the port. A link failure is noticed MAX_AGE after the link's last message.

    This is the protocol of 802.1D-1998. It works together with Linux's bridge and, by their compatible mode, with
    switches that speak the rapid protocol.

    Ports: any number of push inputs for messages (Ethernet packets of IEEE 802.2's SAP 0x42), and as many push outputs. The
    Suppressors and the switch have the same numbers of ports.

    Example:

        tree :: EtherSpanTree(02:00:00:00:00:01, in, out, switch);
        in, out :: Suppressor;
        switch :: EtherSwitch;

        FromDevice(eth0) -> c0 :: Classifier(14/4242, -);
        FromDevice(eth1) -> c1 :: Classifier(14/4242, -);
        c0[0] -> tree;
        c1[0] -> [1]tree;
        c0[1] -> in -> switch -> out -> q0 :: Queue -> ToDevice(eth0);
        c1[1] -> [1]in[1] -> [1]switch[1] -> [1]out[1] -> q1 :: Queue -> ToDevice(eth1);
        tree[0] -> q0;
        tree[1] -> q1;
    """

    args = (
        Required("ADDR", EtherAddress(), "this switch's Ethernet address; its identifier is BRIDGE_PRIORITY followed by this address"),
        Required("INPUT_SUPPRESSOR", ElementRef("Suppressor"), "names of two Suppressors"),
        Required("OUTPUT_SUPPRESSOR", ElementRef("Suppressor"), SAME),
        Required("SWITCH", ElementRef("EtherSwitch"), "name of an EtherSwitch"),
        Keyword("BRIDGE_PRIORITY", Integer(16), 0xDEAD, "0 to 65535; the root is the switch with the lowest. Default 57005 (0xdead), to "
            "prefer other switches"),
        Keyword("HELLO_TIME", SPAN, 2 * 10**9, "time between messages of the root. Default 2s"),
        Keyword("MAX_AGE", SPAN, 20 * 10**9, "how long a message is valid. Default 20s"),
        Keyword("FORWARD_DELAY", SPAN, 15 * 10**9, "default 15s. All switches use the root's values of these three"),
        Keyword("PATH_COST", Integer(low=1, high=0xFFFFFF), 1, "the cost of a path through one of this switch's ports"),
    )
    #: `ports`: the information of the designated switch on the port's network, maybe this one; then the port's own state and
    #: deadlines. `tree`: this switch's information on the root, the root's times in 1/256 s, and deadlines. Deadlines are times of
    #: now(), 0 if not set.
    state_types = {
        "ports": Array(
            lambda element: max(1, element.noutputs),
            root=u64, bridge=u64, cost=u32, port=u16, max_age=u16, hello_time=u16, forward_delay=u16, change=u8,
            state=u8, pending=u8, acknowledge=u8, message_age=u64, delay=u64, hold=u64,
        ),
        "tree": Vars(
            root=u64, cost=u32, root_port=s32, max_age=u16, hello_time=u16, forward_delay=u16, change=u8, detected=u8,
            hello=u64, hello_due=u64, change_over=u64,
        ),
    }  # fmt: skip
    holds = (Held("the spanning tree", KEPT, ANEW),)

    def configure(self) -> None:
        self.id = self.cfg.bridge_priority << 48 | int.from_bytes(self.cfg.addr, "big")
        if self.cfg.max_age <= self.cfg.hello_time:
            raise ArgError("MAX_AGE is not longer than HELLO_TIME", "every message would be too old", argument="MAX_AGE")

    def take_state(self, before: Self) -> None:
        """Take the tree, unless arguments or ports have changed: rebuilding it would take half a minute."""
        if (before.cfg, before.noutputs) != (self.cfg, self.noutputs):
            return
        for own, old in (*zip(self.state.ports, before.state.ports), (self.state.tree[0], before.state.tree[0])):
            ctypes.pointer(own)[0] = old
        self.runtime.control()

    def constants(self) -> Constants:
        names = ("hello_time", "max_age", "forward_delay")
        return {
            **{name: ("__u16", str(round(getattr(self.cfg, name) / TICK))) for name in names},
            "id": ("__u64", f"{self.id:#x}ull"),
            "port_id": ("__u16", str(PORT_ID)),
            # 802.1D: one second, for a hello time of two.
            "hold_time": ("__u64", f"{min(10**9, self.cfg.hello_time // 2)}ull"),
        }

    def _part(self, number: int) -> str:
        if number == self.state.tree.root_port:
            return "root"
        if self.state.ports[number].bridge != self.id:
            return "alternate"
        return "designated" if self.state.ports[number].port == PORT_ID + number else "backup"

    @read_handler
    def msgs(self) -> str:
        """a line for the best message on each port, and one for the best of all: the identifier of the sending switch and its port,
        whether the topology changes, the sender's cost to the root, the root's identifier, and MAX_AGE, HELLO_TIME and
        FORWARD_DELAY in seconds. All numbers are hexadecimal.
        """
        tree = self.state.tree
        lines = []
        for number in range(self.noutputs):
            port = self.state.ports[number]
            heard = (port.bridge, port.port, port.cost, port.root) if self._part(number) != "designated" else WORST
            times = (port.max_age, port.hello_time, port.forward_delay) if heard != WORST else (0, 0, 0)
            lines.append(_message(*heard, bool(port.change), *times))
        times = (tree.max_age, tree.hello_time, tree.forward_delay)
        lines.append(_message(*self._best_sender(), tree.cost, tree.root, bool(tree.change), *times))
        return "".join(lines)

    def _best_sender(self) -> tuple[int, int]:
        """The sender of the best message, and its port; port 0 for this switch."""
        if self.state.tree.root_port < 0:
            return self.id, 0
        port = self.state.ports[self.state.tree.root_port]
        return port.bridge, port.port

    @read_handler
    def states(self) -> str:
        """a line for each port: its number, its part (`root`, `designated`, `alternate`, `backup`) and state."""
        numbers = range(self.noutputs)
        return "".join(f"{number} {self._part(number)} {STATES[self.state.ports[number].state]}\n" for number in numbers)


def _message(bridge: int, port: int, cost: int, root: int, change: bool, *times: int) -> str:
    seconds = "/".join(f"{time // 256:x}" for time in times)
    return f" {bridge:>16x}:{port:04x}: {'TC' if change else 'tc'}  {cost:x} -> {root:>16x}  m/h/d: {seconds}\n"
