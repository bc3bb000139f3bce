"""C text of the kernel path: a function for each element that runs there, a program for each entry.

The text is meant to be read: each function is named after its element, runs the element's action, and calls the next element
according to the action's result. Clang inlines these calls; where the plan has a cut, there is a tail call instead.
"""

from clickbpf.emit import instance
from clickbpf.emit.copies import CopiesText
from clickbpf.emit.devices import is_made, outbound_devices
from clickbpf.emit.filters import trace_filters
from clickbpf.emit.looks import look
from clickbpf.objects.cnames import c_names, device_names
from clickbpf.objects.ctext import c_comment
from clickbpf.objects.hooks import FRAGS_SECTION, TC
from clickbpf.objects.manifest import LEAST_SLOTS, QUEUES_PER_DEVICE
from clickbpf.plan.devices import own_device
from clickbpf.plan.hops import STATE
from clickbpf.plan.layout import ARRAYS, COUNTERS, GLOBAL_COUNTERS, SLOTS, VARS, layout, members
from clickbpf.plan.values import ELIDED, Plan, Program
from clickbpf.vocabulary import drops, lane
from clickbpf.vocabulary.annotations import TRACE
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.looks import RING, TRACES
from clickbpf.vocabulary.roles import Delayer, HostEnd
from clickbpf.vocabulary.state import CACHE_LINE, PerThread, State, Vars
from clickbpf.vocabulary.traits import GIVES_TO_HOST, KEEPS_HEADER, LOOKS


def emit(plan: Plan, router_hash: int) -> str:
    """The whole C file. `router_hash` identifies the router to both executors."""
    return _Emitter(plan, router_hash).text()


def program_name(plan: Plan, program: Program) -> str:
    """The C function, and so the kernel's name, of a program."""
    if program.device is not None:
        return f"{plan.options.hook}_{device_names(plan.devices)[program.device]}"
    kind = "jump" if program.jump is not None else "hop"
    return _name_after(kind, c_names(plan.checked.instances)[program.element])


def mover_names(plan: Plan) -> list[str]:
    """The programs that pass packets of each hop on to another CPU, in the order of the hops. They follow the jumps, and are entered by
    tail calls too: a queue whose program referred to the queue itself would never be freed."""
    names = c_names(plan.checked.instances)
    return [_name_after("move", names[hop.puller]) for hop in plan.hops.values()]


def _name_after(kind: str, element: str) -> str:
    return f"{kind}{element.removeprefix('e')}"


class _Emitter:
    def __init__(self, plan: Plan, router_hash: int):
        self.plan, self.hash = plan, router_hash
        self.names = c_names(plan.checked.instances)
        self.inside = [e for name, e in plan.checked.instances.items() if plan.in_kernel(name)]
        self.shares = self.number_inputs()
        self.stored = layout(plan.checked, plan.there)
        self.direct = {(place.element, place.state) for place in members(self.stored, ARRAYS)}
        self.variables = {(place.element, place.state): place.c_name for place in members(self.stored, VARS)}
        self.copies = CopiesText(plan, self.names, self.shares)
        self.pullers = {hop.puller: hop.queue for hop in plan.hops.values()}

    def text(self) -> str:
        parts = [
            self.prologue(),
            "FUNCTIONS\n\n",
            *self.kept(),
            *(self.prototype(element) for element in self.inside),
            *(self.element(element) for element in self.inside),
            *(self.program(program) for program in self.plan.programs),
            *map(self.mover, mover_names(self.plan), self.plan.hops),
            "\nGLOBALS\n",
            '\nchar _license[] SEC("license") = "GPL";\n',
        ]
        return "".join(parts)

    def kept(self) -> list[str]:
        """Maps for state of elements that the kernel path doesn't run: state that outlives runtimes is in maps."""
        kept = (place for place in self.stored if place.element not in self.plan.there)
        return [place.kind.c_structure(place.c_name) + _map(place.c_name, str(place.entries)) for place in kept]

    # -- what comes before the elements -----------------------------------------------------------------------------

    def prologue(self) -> str:
        devices = max(1, len(self.plan.devices))
        entered = len(self.plan.jumps) + len(self.plan.hops)
        jumps = f"#define JUMPS {entered}\n" if entered else ""
        hops = f"#define HOPS {len(self.plan.hops)}\n{lane.c_text()}" if self.plan.hops else ""
        hook = "#define HOOK_TC\n" if self.plan.options.hook == TC else ""
        hook += "#define FRAGS\n" if self.plan.options.frags else ""
        hook += "#define SPREAD\n" if self.plan.options.spread and self.plan.options.hook != TC else ""
        hook += "" if self.plan.options.traced is None else "#define TRACED\n"
        hook += f"#define COUNTED\n#define OUTPUTS {max(1, self.plan.checked.noutputs)}\n" if self.plan.options.counted else ""
        looks = f"#define LOOKS\n#define LOOKS_SIZE {RING}\n" if self.plan.any_looks else ""
        timed = "#define TIMED\n" if self.plan.carries_time else ""
        paced = "#define PACED\n" if any(isinstance(element, Delayer) for element in self.inside) else ""
        return (
            "/* Made by clickbpf from a Click configuration: the kernel path. */\n"
            f"{hook}"
            f"#define LEAST_SLOTS {LEAST_SLOTS}\n"
            f'#include "element.h"\n\n'
            f"{drops.c_enum()}\n"
            f"#define ROUTER_HASH {self.hash:#010x}u\n"
            f"#define ELEMENTS {max(1, len(self.plan.checked.instances))}\n"
            f"#define DEVICES {devices}\n"
            f"#define DEVICE_MACS {1 << (devices - 1).bit_length()}\n"
            f"#define CARRIED {self.carried_size()}\n"
            f"#define MAX_QUEUES {QUEUES_PER_DEVICE}\n"
            f"{jumps}{hops}{looks}{timed}{paced}{self.traced()}\n"
            f"#define SLOTS {SLOTS}\n\n"
            f"{self.carry()}\n"
            f"{self.states()}"
            f"{is_made(self.plan.devices, self.plan.made)}{outbound_devices(self.plan.devices)}\n"
            f'#include "exits.h"\n\n'
            f"{'' if self.plan.options.traced is None else trace_filters(self.plan.options.traced, self.plan.options.traced_l3)}"
            f"{self.copies.sets()}"
        )

    def traced(self) -> str:
        """Constants for tracing (bpf/traced.h)."""
        if self.plan.options.traced is None:
            return ""
        place = sum(length for _, length in self.plan.carried) - TRACE[1]
        ends = int(self.plan.options.traced_at is None)
        return f"#define TRACES_SIZE {TRACES}\n#define TRACE_CARRIED {place}\n#define TRACE_ENDS {ends}\n"

    def trace(self, element: str) -> str:
        """C that reports a packet's arrival at an input of the element, if packets are traced there."""
        return f"\ttrace_packet(p, {self.plan.index[element]}, input, TRACED_INPUT, 0);\n" if self.plan.options.traces(element) else ""

    def carried_size(self) -> int:
        """Bytes of annotations in a handover record, padded to whole words."""
        return -(-sum(length for _, length in self.plan.carried) // 4) * 4

    def carry(self) -> str:
        copies, place = [], 0
        for offset, length in self.plan.carried:
            copies.append((f"to + {place}", f"p->carried + {offset}", length))
            place += length
        carry = "".join(f"\t__builtin_memcpy({to}, {own}, {length});\n" for to, own, length in copies)
        text = f"static __always_inline void pkt_carry(__u8 *to, const struct pkt *p)\n{{\n{carry}}}\n"
        if self.plan.hops:
            bring = "".join(f"\t__builtin_memcpy({own}, {to}, {length});\n" for to, own, length in copies)
            text += f"\nstatic __always_inline void pkt_bring(struct pkt *p, const __u8 *to)\n{{\n{bring}}}\n"
        return text

    def states(self) -> str:
        """Types of all states, and the structs of states that share a map."""
        inside = [e for e in self.inside if e.name in self.plan.there]
        in_global, in_map, variables = (
            "".join(f"\tstruct {name} {name};\n" for name in dict.fromkeys(place.c_name for place in members(self.stored, pool)))
            for pool in (GLOBAL_COUNTERS, COUNTERS, VARS)
        )
        text = "".join(instance.struct_definitions(self.names[e.name], e.state_types) for e in inside) + "\n"
        if in_global or in_map:
            text += f"#define COUNTERS_{'GLOBAL' if in_global else 'IN_MAP'}\n"
            text += f"struct counters {{\n{in_global or in_map}}} __attribute__((aligned({CACHE_LINE})));\n\n"
        if variables:
            text += f'struct vars {{\n{variables}}} vars SEC("{VARS}");\n\n'
        settings = next((f"vars.{place.c_name}.changed" for place in members(self.stored, VARS) if place.state == "settings"), "false")
        text += f"#define settings_changed() {settings}\n"
        if direct := "".join(f"\tstruct {place.c_name} {place.c_name}[{place.entries}];\n" for place in members(self.stored, ARRAYS)):
            text += f"struct arrays {{\n{direct}}} arrays;\n\n"
        return text

    def prototype(self, element: Element) -> str:
        own = f"static __always_inline int {self.names[element.name]}(struct pkt *p, const int input);\n"
        return own + self.copies.prototype(element.name)

    # -- one element ------------------------------------------------------------------------------------------------

    def element(self, element: Element) -> str:
        name = self.names[element.name]
        declaration = self.plan.checked.router.element(element.name)
        kinds = dict(element.state_types)
        elided = self.plan.placements[element.name].where == ELIDED
        if element.name in self.plan.hops or element.name in self.pullers:
            accessors = "".join(self.accessor(element, name, state, kind) for state, kind in kinds.items())
            return instance.heading(element, declaration) + accessors + self.hop(element, name)
        if elided:
            return instance.heading(element, declaration) + self.follow_elided(element, name) + self.copies.member(element.name)
        return (
            instance.heading(element, declaration)
            + "".join(self.accessor(element, name, state, kind) for state, kind in kinds.items())
            + f"enum {{ {name}_device = {self.device(element)} }};\n"
            + self.copies.made(element.name)
            + self.action(element, name)
            + self.copies.sites(element.name)
            + self.follow(element, name)
            + self.part(element, name)
            + self.copies.member(element.name)
        )

    def action(self, element: Element, name: str) -> str:
        """The class's action, or instead code that gives the runtime a copy to look at."""
        wanted = self.plan.look(element.name)
        if wanted is not None:
            return look(wanted, name, self.plan.index[element.name], sinks=not element.noutputs)
        return instance.constants(element, name) + instance.include_class(element, name)

    def accessor(self, element: Element, name: str, state: str, kind: State) -> str:
        """The function that slot(), at() or var() calls, and its map."""
        struct = f"struct {name}_{state}"
        if not kind.shared:
            return f"{struct} *{name}_{state}_at(__u32 index);\n"
        if isinstance(kind, Vars):
            member = self.variables[element.name, state]
            cast = "" if member == f"{name}_{state}" else "(void *)"
            return _function(f"{struct} *{name}_{state}_at(__u32 index)", f"\treturn {cast}&vars.{member};\n")
        if isinstance(kind, PerThread):
            return _function(f"{struct} *{name}_{state}_slot(struct pkt *p)", f"\treturn &p->counters->{name}_{state};\n")
        if (element.name, state) in self.direct:
            return _function(f"{struct} *{name}_{state}_at(__u32 index)", f"\treturn direct({name}_{state}, index);\n")
        table = _map(f"{name}_{state}", str(kind.entries(element, 1)))
        if not kind.in_programs:
            return table
        look_up = f"\tvalue = bpf_map_lookup_elem(&{name}_{state}_map, &index);\n\tkeep_apart();\n\treturn value;\n"
        signature = f"{struct} *{name}_{state}_at(__u32 index)"
        return table + _function(signature, f"\t{struct} *value;\n\n{look_up}")

    def device(self, element: Element) -> int:
        """The number that self_device() returns in the class's C file."""
        device = own_device(element) or self.plan.leaves_by(element.name)
        return -1 if device is None else self.plan.devices.index(device)

    def follow(self, element: Element, name: str) -> str:
        """The element's function: it runs the action, and goes on according to the result."""
        number, share = self.plan.index[element.name], self.shares[element.name]
        cases = [self.copies.cases(element.name)]
        single = self.copies.single(element.name)
        for target, ports in self.plan.exits(element.name).items():
            labels = "".join(f"\tcase {port}:\n" for port in ports)
            labels += "".join(f"\tcase COPIES({number}):\n" for number, port in single.items() if port in ports)
            cases.append(f"{labels}\t\treturn {self.next(element, target)};\n")
        cases.append(f"\tcase PUNT:\n\t\treturn hand_over(p, {number}, input, {share});\n")
        if self.plan.look(element.name) is not None and not element.noutputs:
            cases.append("\tcase STOLEN:\n\t\treturn vanish();\n")
        if element.sends_to() is not None:
            cases.append(f"\tcase SEND:\n\t\treturn send(p, {number}, {name}_device);\n")
        unseen = f"\tif (pkt_is_unseen(p))\n\t\treturn hand_over(p, {number}, input, {share});\n" if self.plan.options.sees_parts else ""
        if GIVES_TO_HOST in element.traits:
            device = f"{name}_device" if isinstance(element, HostEnd) and element.host_device() is not None else "p->device"
            cases.append(f"\tcase TO_HOST:\n\t\treturn to_host(p, {number}, {device});\n")
        first = self.copies.first(element.name)
        changes = not element.traits & (LOOKS | KEEPS_HEADER)
        forget = "\tpkt_forget_header(p);\n" if changes else ""
        noted = "\tpkt_forget_setting(p);\n" if changes or element.annotations_written() else ""
        function, parameter, action = name, "", f"{name}_action(p, input)"
        if element.name in self.plan.parted:
            function, parameter, action = f"{name}_path", ", const bool plain", f"as_plain_or_not(p, plain, {action})"
        return (
            f"\nstatic __always_inline int {function}(struct pkt *p, const int input{parameter})\n"
            "{\n"
            f"{self.trace(element.name)}{noted}"
            f"\t{'' if first else 'const '}int result = {action};\n\n"
            f"{forget}{unseen}{first}{self.copies.counted_result(element.name)}"
            "\tswitch (result) {\n"
            f"{''.join(cases)}"
            "\t}\n"
            f"\treturn drop_packet(p, {number}, result >= 0 ? DROP_UNCONNECTED : DROP_RESULT(result));\n"
            "}\n"
        )

    def part(self, element: Element, name: str) -> str:
        """For an element of PARTS_PLAIN: the function that chooses between its two paths, for plain packets and for others."""
        if element.name not in self.plan.parted:
            return ""
        body = f"\treturn plain_or_not({name}_plain(p), {name}_path, p, input);\n"
        return "\n" + _function(f"int {name}(struct pkt *p, const int input)", body)

    def follow_elided(self, element: Element, name: str) -> str:
        counted = self.copies.counted(element.name, 0)
        body = f"{self.trace(element.name)}{counted}\treturn {self.next(element, self.plan.exit(element.name, 0))};\n"
        return f"static __always_inline int {name}(struct pkt *p, const int input)\n{{\n{body}}}\n"

    def hop(self, element: Element, name: str) -> str:
        """One end of a hop to another CPU (plan/hops.py). A Queue hands packets over while its Unqueue doesn't take them."""
        number, share = self.plan.index[element.name], self.shares[element.name]
        if element.name in self.pullers:
            own = f"vars.{self.variables[element.name, STATE]}"
            counted = self.copies.counted(self.pullers[element.name], 0) + self.copies.counted(element.name, 0)
            on = self.next(element, self.plan.exit(element.name, 0))
            body = f"{self.trace(element.name)}{counted}\t{own}.passed++;\n\treturn {on};\n"
            return _function(f"int {name}(struct pkt *p, const int input)", body)
        order, puller = list(self.plan.hops).index(element.name), self.plan.hops[element.name].puller
        body = (
            f"{self.trace(element.name)}"
            f"\tif (vars.{self.variables[puller, STATE]}.closed)\n\t\treturn hand_over(p, {number}, 0, {share});\n"
            f"\tif (tracing)\n\t\treturn {self.names[puller]}(p, 0);\n"
            f"\treturn hop(p, {number}, &hop_{order}, {self.lane(element.name)});\n"
        )
        return f"GLOBALS\nCPU_QUEUE(hop_{order});\nFUNCTIONS\n\n" + _function(f"int {name}(struct pkt *p, const int input)", body)

    def next(self, element: Element, exit: tuple[str, int] | None) -> str:
        """C expression that passes the packet on to the input at `exit`; without one, drops it."""
        if exit is None:
            return f"drop_packet(p, {self.plan.index[element.name]}, DROP_UNCONNECTED)"
        target, target_port = exit
        number = self.plan.index[target]
        if not self.plan.in_kernel(target):
            return f"hand_over(p, {number}, {target_port}, {self.shares[target]}) {c_comment(target)}"
        jump = self.plan.jump(element.name, target)
        if jump is not None:
            return f"jump(p, {number}, {target_port}, {self.shares[target]}, {jump}) {c_comment(target)}"
        return f"{self.names[target]}(p, {target_port})"

    def number_inputs(self) -> dict[str, int]:
        """Number all inputs that packets may be handed over to (bpf/handover.h): the number of each element's first input. Elements in user
        space, to which every packet is handed over, come first."""
        entered = {exit[0]: None for element in self.inside for exit in self.plan.exits(element.name) if exit is not None}
        outside = [name for name in entered if not self.plan.in_kernel(name)]
        numbers, count = {}, 0
        for name in (*outside, *(element.name for element in self.inside)):
            numbers[name] = count
            count += self.plan.checked.instances[name].ninputs
        return numbers

    # -- programs ---------------------------------------------------------------------------------------------------

    def program(self, program: Program) -> str:
        element = self.plan.checked.instances[program.element]
        if program.device is not None:
            number, share = self.plan.index[program.element], self.shares[program.element]
            given = f"&p, ctx, {self.plan.devices.index(program.device)}, &verdict, {number}, {share}"
            if self.plan.options.hook == TC:
                given += f", {str(self.plan.bears_offloads(program.element)).lower()}"
            asked = "" if self.plan.options.traced is None else "\ttrace_arrive(&p);\n"
            body = f"\tint verdict;\n\n\tif (!enter({given}))\n\t\treturn verdict;\n{asked}\treturn {self.names[program.element]}(&p, 0);\n"
        elif program.jump is None:
            queue = self.pullers[program.element]
            mover = len(self.plan.jumps) + list(self.plan.hops).index(queue)
            body = f"\n\tif (lane_has_moved({self.lane(queue)}))\n\t\tbpf_tail_call(ctx, &jumps, {mover});\n"
            body += f"\tif (!alight(&p, ctx, {self.lane(queue)}))\n\t\treturn XDP_ABORTED;\n"
            body += f"\treturn {self.names[program.element]}(&p, 0);\n"
        else:
            cases = "".join(f"\tcase {port}:\n\t\treturn {self.names[program.element]}(&p, {port});\n" for port in range(element.ninputs))
            land = "land_as_received" if self.plan.joins_devices(program.element) else "land"
            body = f"\n\tswitch ({land}(&p, ctx)) {{\n{cases}\t}}\n\treturn drop({self.plan.index[program.element]}, DROP_TAIL_CALL);\n"
        return self.entry(program_name(self.plan, program), f"\tstruct pkt p;\n{body}")

    def mover(self, name: str, queue: str) -> str:
        order, number = list(self.plan.hops).index(queue), self.plan.index[queue]
        return self.entry(name, f"\treturn pass_on({number}, &hop_{order}, {self.lane(queue)});\n")

    def entry(self, name: str, body: str) -> str:
        section = FRAGS_SECTION if self.plan.options.frags else self.plan.options.hook
        return f'\nSEC("{section}")\nint {name}(struct CONTEXT *ctx)\n{{\n{body}}}\n'

    def lane(self, queue: str) -> str:
        return f"(struct lane *)&vars.{self.variables[queue, STATE]}"


def _map(name: str, entries: str) -> str:
    return (
        "GLOBALS\nstruct {\n"
        "\t__uint(type, BPF_MAP_TYPE_ARRAY);\n"
        "\t__uint(map_flags, BPF_F_MMAPABLE);\n"
        f"\t__uint(max_entries, {entries});\n"
        "\t__type(key, __u32);\n"
        f"\t__type(value, struct {name});\n"
        f'}} {name}_map SEC(".maps");\nFUNCTIONS\n\n'
    )


def _function(signature: str, body: str) -> str:
    return f"static __always_inline {signature}\n{{\n{body}}}\n\n"
