"""C for the ports of one element instance: where packets go when they leave, and where they are pulled from."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from clickbpf.emit.threads import is_locked, takes_lock
from clickbpf.graph.schedule import tickets
from clickbpf.graph.watching import stores, watched
from clickbpf.graph.wiring import Wiring

#: Entries that a class may have generated (Element.wakes): name -> (result, parameters).
_WAKES = {
    "timer": ("void", "void"),
    "init": ("int", "void"),
    "control": ("int", "int op __attribute__((unused)), __u64 argument __attribute__((unused))"),
}


class Ports:
    """One instance's ports in a router: `c_name` is the instance's identifier in C."""

    def __init__(
        self,
        wiring: Wiring,
        name: str,
        names: dict[str, str],
        tasks: int = 1,
        lock: str | None = None,
        alone: bool = True,
        sides: tuple[bool, bool] | None = None,
    ):
        """`tasks`: the number of its tasks, if it has any; `lock`: the element whose lock it takes, if any; `alone`: whether the router
        has only one thread; `sides`: of a TWO_SIDED element, whether only one thread at a time pushes into it, and pulls from it."""
        self.wiring, self.name, self.names, self.tasks = wiring, name, names, tasks
        self.element = wiring.instances[name]
        self.c_name = names[name]
        self.index = wiring.router.position[name]
        self.pull_outputs = wiring.pull_outputs(name)
        self.lock = f"{names[lock]}_lock_state" if lock else None
        #: Statements before and after each call of the class's code.
        held = lock is not None and is_locked(self.element)
        self.before, self.after = (f"{self.c_name}_lock();", f"{self.c_name}_unlock();") if held else ("", "")
        self.alone, self.sides = alone, sides
        #: Whether it has a lock for pulling alone.
        self.pull_lock = sides is not None and not sides[1]
        #: Whether a packet that comes round a cycle while its class's code runs has to wait for the end of that code.
        self.is_entered_once = alone and name in wiring.circling and takes_lock(self.element)
        if self.is_entered_once:
            self.before, self.after = f"{self.c_name}_inside++;", f"{self.c_name}_inside--;"
        #: Whether packets are pushed to it: by a neighbour, by the runtime for the device that it reads, or by the runtime where
        #: the kernel path gave them up after an elided Queue.
        self.is_pushed = bool(wiring.push_inputs(name) or self.element.receives_from() is not None or wiring.passes(name))

    @property
    def acts(self) -> bool:
        """Whether the ELEMENT function of its class is called."""
        return self.is_pushed or bool(self.pull_outputs and "pull" not in self.element.entries)

    @cached_property
    def variables(self) -> dict[str, str]:
        """Its variables, members of struct router_variables: name -> C declaration, with {} for the member's name."""
        entries = self.element.entries
        wanted = {
            "inside": ("__u32 {}", self.is_entered_once),
            "task_state": (f"struct task {{}}[{self.tasks}]", "task" in entries),
            "timer_state": ("struct timer {}", "timer" in entries),
            "event_state": ("struct event {}", "event" in entries),
            "lock_state": ("struct lock {}", self.lock == f"{self.c_name}_lock_state"),
            "pull_lock_state": ("struct lock {}", self.pull_lock),
        }
        return {name: declaration for name, (declaration, there) in wanted.items() if there}

    def members(self) -> str:
        return "".join(f"\t{declaration.format(f'{self.c_name}_own_{name}')};\n" for name, declaration in self.variables.items())

    def values(self) -> str:
        """Initialisers of the variables."""
        c, index = self.c_name, self.index
        run = f"{{}}.run = {c}_{{}}_run, .element = {index}{{}}"
        task = "{" + run.format("", "task", f", .tickets = {tickets(self.element.context.names, self.name)}") + "}, "
        values = {
            "task_state": f"{{{task * self.tasks}}}",
            "timer_state": f"{{{run.format('', 'timer', '')}}}",
            "event_state": f"{{{run.format('.source = {.ready = event_ready}, ', 'event', '')}}}",
        }
        return "".join(f"\t.{c}_own_{name} = {value},\n" for name, value in values.items() if name in self.variables)

    def declarations(self) -> str:
        """Declarations for other instances, whose sections may come before this one's."""
        c = self.c_name
        text = "".join(f"#define {c}_{name} (router_variables->{c}_own_{name})\n" for name in self.variables)
        if stores(self.element):
            text += f"static __u32 {c}_stored(void) __attribute__((unused));\n"
            text += f"static __u32 {c}_room(void) __attribute__((unused));\n"
            if self.element.storage[-1]:
                text += f"static inline bool {c}_is_full(void) __attribute__((unused));\n"
                text += f"static inline bool {c}_has_no_room(void) __attribute__((unused));\n"
        if self.is_pushed:
            text += f"static void {c}_push(struct pkt *p, int input);\n"
        if self.pull_outputs:
            text += f"static struct pkt *{c}_pull(int output);\n"
        return text

    def facts(self, device: int) -> str:
        """Functions that the class's own code may call: prototypes, or where they are trivial the whole."""
        return self.numbers(device) + "".join(
            f"static {always} __attribute__((unused)) {signature}{' { ' + trivial + ' }' if body is None else ';'}\n"
            for always, signature, body, trivial in self._functions
        )

    def numbers(self, device: int) -> str:
        """Constants that the class's own code may read."""
        numbers = {
            "index": self.index,
            "device": device,
            "tasks": self.tasks,
            "push_inputs": _mask(self.wiring.push_inputs(self.name)),
            "push_outputs": _mask(self.wiring.push_outputs(self.name)),
            "connected_outputs": _mask(c.source.port for c in self.wiring.router.connections_from(self.name)),
        }
        if stores(self.element):
            numbers["one_pushes"] = int(self.sides is not None and self.sides[0])
        return f"enum {{ {', '.join(f'{self.c_name}_{name} = {value}' for name, value in numbers.items())} }};\n"

    def definitions(self) -> str:
        """The functions that declarations() and facts() declare."""
        parts = [f"static {always} {signature}\n{{\n{body}}}\n" for always, signature, body, _ in self._functions if body]
        if stores(self.element):
            parts.append(self._stored())
        if self.acts:
            parts.append(self._leave())
        if self.element.shown() is not None:
            parts.append(self._look())
        if self.is_pushed:
            parts.append(self._push())
        if self.pull_outputs:
            parts.append(self._pull())
        return "".join(parts)

    @cached_property
    def _functions(self) -> tuple[tuple[str, str, str | None, str], ...]:
        return tuple(self._made_functions())

    def _made_functions(self) -> Iterator[tuple[str, str, str | None, str]]:
        """The functions that the macros of userspace/packet.h call: (qualifier, signature, body or None, the trivial body for None)."""
        c = self.c_name
        drop = f"pkt_drop(p, {self.index}, DROP_UNCONNECTED);"
        yield "__always_inline", f"void {c}_emit(struct pkt *p, int port)", self._emit(drop), f"(void)port; {drop}"
        yield "__always_inline", f"struct pkt *{c}_pull_input(int port)", self._pull_input(), "(void)port; return NULL;"
        for name, sleepers in (("pullers", self.wiring.sleepers_downstream), ("pushers", self.wiring.sleepers_upstream)):
            calls = "".join(f"\ttask_wake({self.names[e]}_task_state);\n" for e in sleepers(self.name))
            yield "inline", f"void {c}_wake_{name}(void)", calls or None, ""
        full = " && ".join(f"{self.names[e]}_is_full()" for e in self.wiring.storages_downstream(self.name))
        yield "inline", f"bool {c}_downstream_full(void)", f"\treturn {full};\n" if full else None, "return false;"
        stored = [self.names[e] for e in watched(self.wiring.checked, self.name)]
        total = " + ".join(f"{e}_stored()" for e in stored)
        yield "inline", f"__u32 {c}_watched_length(void)", f"\treturn {total};\n" if total else None, "return 0;"
        least = "".join(f"\tif ({e}_room() < least)\n\t\tleast = {e}_room();\n" for e in stored)
        body = f"\t__u32 least = ~0u;\n\n{least}\treturn least;\n" if least else None
        yield "inline", f"__u32 {c}_watched_room(void)", body, "return ~0u;"
        for step in ("take", "release"):
            name = f"void {c}_{'lock' if step == 'take' else 'unlock'}(void)"
            yield "__always_inline", name, f"\tlock_{step}(&{self.lock});\n" if self.lock else None, ""

    def _emit(self, drop: str) -> str | None:
        cases = ""
        for port in range(self.element.noutputs):
            target = self.wiring.pushed_to(self.name, port)
            if target is None:
                continue
            call = f"\t{self.names[target.element]}_push(p, {target.port});\n"
            if (self.name, port) in self.wiring.closing:
                call = self._round(call, f"\tpkt_defer(p, {self.wiring.router.position[target.element]}, {target.port});\n")
            cases += f"\tcase {port}:\n\t{call}\t\treturn;\n"
        first = self.wiring.checked.first_outputs[self.name]
        return f"\tcount_point({first} + port);\n\tswitch (port) {{\n{cases}\t}}\n\t{drop}\n" if cases else None

    def _round(self, call: str, deferred: str) -> str:
        """C for a call that closes a cycle: it may be deferred. With several threads it always is, since all elements that call each other
        in a circle would have to share one lock."""
        if not self.alone:
            return f"\t{deferred}"
        return f"\tif (round_begin()) {{\n\t\t{call}\t\t\tround_end();\n\t\t}} else {{\n\t\t\t{deferred}\t\t}}\n"

    def _pull_input(self) -> str | None:
        cases = ""
        for port in self.wiring.pull_inputs(self.name):
            source = self.wiring.source(self.name, port)
            if source is not None:
                pulled = f"{self.names[source.element]}_pull({source.port})"
                output = self.wiring.checked.first_outputs[source.element] + source.port
                cases += f"\tcase {port}:\n\t\treturn trace_pulled({pulled}, {self.index}, {port}, {output});\n"
        return f"\tswitch (port) {{\n{cases}\t}}\n\treturn NULL;\n" if cases else None

    def _stored(self) -> str:
        """C functions: the number of packets that it holds, and of those that it still has room for."""
        state, *fields = self.element.storage
        load = f"__atomic_load_n(&{self.c_name}_{state}_base->{{}}, __ATOMIC_RELAXED)"
        entered, left, capacity = (load.format(field) if field else None for field in fields)
        again = f"\twhile (stored >= most && !{self.c_name}_has_no_room())\n\t\tstored = {self.c_name}_stored();\n"
        stored = f"\tconst __u32 left = {left or 0};\n\n\treturn {entered} - left;\n"
        return (
            f"static __u32 {self.c_name}_stored(void)\n{{\n{stored}}}\n"
            f"static __u32 {self.c_name}_room(void)\n{{\n"
            f"\t__u32 stored = {self.c_name}_stored(), most = {capacity or '~0u'};\n\n"
            f"{again if capacity else ''}\treturn stored < most ? most - stored : 0;\n}}\n"
        )

    def _leave(self) -> str:
        return (
            f"static __always_inline void {self.c_name}_leave(struct pkt *p, int result)\n{{\n"
            f"\tif (likely(result >= 0))\n\t\t{self.c_name}_emit(p, result);\n"
            f"\telse if (result != STOLEN)\n\t\tpkt_refuse(p, {self.index}, result);\n}}\n"
        )

    def _push(self) -> str:
        return (
            f"static void {self.c_name}_push(struct pkt *p, int input)\n{{\n\tint result;\n\n"
            f"{self._waiting() if self.is_entered_once else ''}"
            f"\ttrace_point(p, {self.index}, input);\n"
            f"{self._locked(f'result = {self.c_name}_action(p, input);')}"
            f"\t{self.c_name}_leave(p, result);\n}}\n"
        )

    def _waiting(self) -> str:
        return f"\tif (unlikely({self.c_name}_inside)) {{\n\t\tpkt_defer(p, {self.index}, input);\n\t\treturn;\n\t}}\n"

    def _look(self) -> str:
        """C function that runs the action on a copy, whose original is in the kernel."""
        return (
            f"static void {self.c_name}_look(struct pkt *p, int input)\n{{\n\tint result;\n\n"
            f"{self._locked(f'result = {self.c_name}_action(p, input);')}"
            f"\tif (result >= 0)\n\t\tpkt_free(p);\n"
            f"\telse if (result != STOLEN)\n\t\tpkt_refuse(p, {self.index}, result);\n}}\n"
        )

    def _pull(self) -> str:
        c = self.c_name
        if "pull" in self.element.entries:
            call = self._pulled(f"p = {c}_pull_action(output);")
            return f"static struct pkt *{c}_pull(int output)\n{{\n\tstruct pkt *p;\n\n{call}\treturn p;\n}}\n"
        return (
            f"static struct pkt *{c}_pull(int output)\n{{\n"
            f"\tstruct pkt *p = {c}_pull_input({self._pulled_input()});\n\tint result;\n\n"
            f"\t(void)output;\n"
            f"\tif (!p)\n\t\treturn NULL;\n"
            f"{self._locked(f'result = {c}_action(p, {self._pulled_input()});')}"
            f"\tif (likely(result == output))\n\t\treturn p;\n"
            f"\t{c}_leave(p, result);\n"
            f"\t{c}_wake_pullers();\n\treturn NULL;\n}}\n"
        )

    def _pulled(self, statement: str) -> str:
        """The statement, which only the pulling side of the element executes, with the lock of that side, if any."""
        if self.sides is None or self.alone:
            return self._locked(statement)
        lock = f"(&{self.c_name}_pull_lock_state);\n"
        return f"\tlock_take{lock}\t{statement}\n\tlock_release{lock}" if self.pull_lock else f"\t{statement}\n"

    def _locked(self, statement: str) -> str:
        """The statement between those that take and release its lock, if any."""
        return "".join(f"\t{line}\n" for line in (self.before, statement, self.after) if line)

    def wakes(self) -> str:
        """Entries of the class that only wake its task."""
        end = {"int": "\treturn 0;\n}\n", "void": "}\n"}
        return "".join(
            f"static {result} {self.c_name}_{entry}({parameters})\n{{\n\ttask_wake({self.c_name}_task_state);\n{end[result]}"
            for entry, (result, parameters) in _WAKES.items()
            if entry in self.element.wakes
        )

    def entries(self) -> str:
        """The entries that the scheduler calls."""
        c, text = self.c_name, ""
        if "task" in self.element.entries:
            run = f"bool {c}_task_run(struct task *task __attribute__((unused)))"
            text += f"static {run}\n{{\n\tbool worked;\n\n{self._locked(f'worked = {c}_task();')}\treturn worked;\n}}\n"
        if "timer" in self.element.entries:
            call = self._locked(f"if (timer_is_due(timer))\n\t\t{c}_timer();")
            text += f"static void {c}_timer_run(struct timer *timer)\n{{\n{call}}}\n"
        if "event" in self.element.entries:
            text += f"static void {c}_event_run(void)\n{{\n{self._locked(f'{c}_event();')}}}\n"
        return text

    def _pulled_input(self) -> str:
        """C for the input from which an agnostic class without a PULL of its own is fed (graph/pulls.py ensures that there is one)."""
        return "0" if self.element.ninputs == 1 and len(self.pull_outputs) == 1 else "output"


def _mask(ports: Iterable[int]) -> str:
    """A bit for each port below 63: classes that use the mask have fewer ports."""
    return f"{sum({1 << port for port in ports if port < 63}):#x}"
