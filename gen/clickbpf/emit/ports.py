"""C for the ports of one element instance: where a packet goes when it leaves, and where one comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clickbpf.emit.wiring import Wiring, stores
from clickbpf.errors import ClickError


class Ports:
    """One instance's ports in a router: `c_name` is the instance's identifier in C."""

    def __init__(self, wiring: Wiring, name: str, names: dict[str, str]):
        self.wiring, self.name, self.names = wiring, name, names
        self.element = wiring.instances[name]
        self.c_name = names[name]
        self.index = wiring.router.position[name]
        self.pull_outputs = wiring.pull_outputs(name)
        #: Whether packets are pushed at it: by a neighbour, or by the runtime for a device that it reads, or because the
        #: kernel path gave them up behind a Queue that it does without.
        self.is_pushed = bool(wiring.push_inputs(name) or self.element.receives_from() is not None or wiring.passes(name))

    def declarations(self) -> str:
        """What other instances' sections may name before this one's comes."""
        c = self.c_name
        text = f"static bool {c}_full __attribute__((unused));\n"
        if "task" in self.element.entries:
            text += f"static struct task {c}_task_state;\n"
        if "timer" in self.element.entries:
            text += f"static struct timer {c}_timer_state;\n"
        if "event" in self.element.entries:
            text += f"static struct event {c}_event_state;\n"
        if stores(self.element):
            text += f"static __u32 {c}_stored(void) __attribute__((unused));\n"
        if self.is_pushed:
            text += f"static void {c}_push(struct pkt *p, int input);\n"
        if self.pull_outputs:
            text += f"static struct pkt *{c}_pull(int output);\n"
        return text

    def facts(self, device: int) -> str:
        """What the class's own code may ask or call; functions with nothing to say are complete here."""
        numbers = {
            "index": self.index,
            "device": device,
            "push_inputs": _mask(self.wiring.push_inputs(self.name)),
            "push_outputs": _mask(self.wiring.push_outputs(self.name)),
            "connected_outputs": _mask(c.source.port for c in self.wiring.router.connections_from(self.name)),
        }
        text = f"enum {{ {', '.join(f'{self.c_name}_{name} = {value}' for name, value in numbers.items())} }};\n"
        return text + "".join(
            f"static {always} __attribute__((unused)) {signature}{' { ' + trivial + ' }' if body is None else ';'}\n"
            for always, signature, body, trivial in self._functions()
        )

    def definitions(self) -> str:
        """The functions declared above and in facts()."""
        parts = [f"static {always} {signature}\n{{\n{body}}}\n" for always, signature, body, _ in self._functions() if body]
        if stores(self.element):
            state, field = self.element.storage
            parts.append(f"static __u32 {self.c_name}_stored(void)\n{{\n\treturn {self.c_name}_{state}_base->{field};\n}}\n")
        if self.is_pushed or (self.pull_outputs and "pull" not in self.element.entries):
            parts.append(self._leave())
        if self.is_pushed:
            parts.append(self._push())
        if self.pull_outputs:
            parts.append(self._pull())
        return "".join(parts)

    def _functions(self) -> Iterator[tuple[str, str, str | None, str]]:
        """(qualifier, signature, body, what to write for none) of what the macros of userspace/packet.h call."""
        c = self.c_name
        drop = f"pkt_drop(p, {self.index}, DROP_UNCONNECTED);"
        yield "__always_inline", f"void {c}_emit(struct pkt *p, int port)", self._emit(drop), f"(void)port; {drop}"
        yield "__always_inline", f"struct pkt *{c}_pull_input(int port)", self._pull_input(), "(void)port; return NULL;"
        for name, sleepers in (("pullers", self.wiring.sleepers_downstream), ("pushers", self.wiring.sleepers_upstream)):
            calls = "".join(f"\ttask_start(&{self.names[e]}_task_state);\n" for e in sleepers(self.name))
            yield "inline", f"void {c}_wake_{name}(void)", calls or None, ""
        full = " && ".join(f"{self.names[e]}_full" for e in self.wiring.storages_downstream(self.name))
        yield "inline", f"bool {c}_downstream_full(void)", f"\treturn {full};\n" if full else None, "return false;"
        total = " + ".join(f"{self.names[e]}_stored()" for e in self.wiring.watched(self.name))
        yield "inline", f"__u32 {c}_watched_length(void)", f"\treturn {total};\n" if total else None, "return 0;"

    def _emit(self, drop: str) -> str | None:
        cases = ""
        for port in range(self.element.noutputs):
            target = self.wiring.target(self.name, port)
            if target is None or (port in self.pull_outputs and not self.wiring.passes(target.element)):
                continue
            call = f"{self.names[target.element]}_push(p, {target.port})"
            if (self.name, port) in self.wiring.closing:
                call = f"pkt_defer(p, {self.wiring.router.position[target.element]}, {target.port})"
            cases += f"\tcase {port}:\n\t\t{call};\n\t\treturn;\n"
        return f"\tswitch (port) {{\n{cases}\t}}\n\t{drop}\n" if cases else None

    def _pull_input(self) -> str | None:
        cases = ""
        for port in self.wiring.pull_inputs(self.name):
            source = self.wiring.source(self.name, port)
            if source is not None:
                cases += f"\tcase {port}:\n\t\treturn {self.names[source.element]}_pull({source.port});\n"
        return f"\tswitch (port) {{\n{cases}\t}}\n\treturn NULL;\n" if cases else None

    def _leave(self) -> str:
        return (
            f"static __always_inline void {self.c_name}_leave(struct pkt *p, int result)\n{{\n"
            f"\tif (likely(result >= 0))\n\t\t{self.c_name}_emit(p, result);\n"
            f"\telse if (result != STOLEN)\n\t\tpkt_refuse(p, {self.index}, result);\n}}\n"
        )

    def _push(self) -> str:
        return (
            f"static void {self.c_name}_push(struct pkt *p, int input)\n{{\n"
            f"\t{self.c_name}_leave(p, {self.c_name}_action(p, input));\n}}\n"
        )

    def _pull(self) -> str:
        c = self.c_name
        if "pull" in self.element.entries:
            return f"static struct pkt *{c}_pull(int output)\n{{\n\treturn {c}_pull_action(output);\n}}\n"
        return (
            f"static struct pkt *{c}_pull(int output)\n{{\n\t(void)output;\n"
            f"\tfor (int i = 0; i < PULLS_IN_VAIN; i++) {{\n"
            f"\t\tstruct pkt *p = {c}_pull_input({self._pulled_input()});\n\t\tint result;\n\n"
            f"\t\tif (!p)\n\t\t\treturn NULL;\n"
            f"\t\tresult = {c}_action(p, {self._pulled_input()});\n"
            f"\t\tif (likely(result == output))\n\t\t\treturn p;\n"
            f"\t\t{c}_leave(p, result);\n\t}}\n"
            f"\t{c}_wake_pullers();\n\treturn NULL;\n}}\n"
        )

    def _pulled_input(self) -> str:
        """The input that an agnostic class without a PULL of its own is fed from."""
        if self.element.ninputs == 1 and len(self.pull_outputs) == 1:
            return "0"
        if self.element.flow == "#/#":
            return "output"
        declaration = self.wiring.router.element(self.name)
        raise ClickError(
            f"'{self.name}' ({declaration.class_name}) can't be pulled from here",
            declaration.place,
            "put a Queue behind it, so that packets are pushed through it",
        )


def _mask(ports: Iterable[int]) -> str:
    """A bit for each port; classes that ask have few."""
    return f"{sum({1 << port for port in ports if port < 63}):#x}"
