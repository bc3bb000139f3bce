"""C text of the kernel path where a packet leaves by several outputs (plan/copies.py).

Each element that copies meet has a second function besides its usual one: `e_tap_copy()` runs its action and returns the devices by which
the copy leaves. The element that makes copies calls this function of each element after its outputs, each time with a fresh `struct pkt`.
Then it sends the frame by all devices at once, or the packet itself goes on.
"""

from collections.abc import Iterable, Mapping, Sequence

from clickbpf.objects.hooks import TC
from clickbpf.plan.values import ELIDED, Copies, Plan
from clickbpf.vocabulary.traits import CHOOSES


class CopiesText:
    """The C about copies. `names` are the elements' identifiers in C, `shares` the numbers of their first inputs."""

    def __init__(self, plan: Plan, names: Mapping[str, str], shares: Mapping[str, int]):
        self.plan, self.names, self.shares = plan, names, shares
        made = [copies for every in plan.copies.values() for copies in every]
        self.members = {element for copies in made for element, _ in copies.members}

    def sets(self) -> str:
        """A map for each set of devices by which copies leave together. On TC the code itself names the devices."""
        if self.plan.options.hook == TC:
            return ""
        return "".join(f"COPY_SET({number}, {len(devices)});\n" for number, devices in enumerate(self.plan.copy_sets))

    def prototype(self, name: str) -> str:
        if name not in self.members:
            return ""
        asked = "gives_up" in self.plan.checked.instances[name].entries
        asking = f"static __always_inline bool {self.names[name]}_gives_up(struct pkt *p, const int input);\n" if asked else ""
        return f"{self._declaration(name)};\n{asking}"

    def made(self, name: str) -> str:
        """The constant that copies_made() returns to the class's C."""
        return f"enum {{ {self.names[name]}_copies = {int(name in self.plan.copies)} }};\n"

    def member(self, name: str) -> str:
        """The function for copies that arrive at one of the element's inputs."""
        if name not in self.members:
            return ""
        if self.plan.placements[name].where == ELIDED:
            body = f"{self.counted(name, 0)}\treturn {self._on(name, self.plan.exit(name, 0))};\n"
        else:
            body = self._action(name, "".join(self._case(name, target, ports) for target, ports in self.plan.exits(name).items()))
        traced = f"\ttrace_packet(p, {self.plan.index[name]}, input, TRACED_INPUT, 0);\n" if self.plan.options.traces(name) else ""
        return f"\n{self._declaration(name)}\n{{\n{traced}{body}}}\n"

    def _declaration(self, name: str) -> str:
        return f"static __always_inline __u64 {self.names[name]}_copy(struct pkt *p, const int input)"

    def _on(self, name: str, exit: tuple[str, int] | None, packet: str = "p") -> str:
        """C expression that passes a copy on to the input at `exit`."""
        if exit is None:
            return f"(drop_packet({packet}, {self.plan.index[name]}, DROP_UNCONNECTED), 0)"
        return f"{self.names[exit[0]]}_copy({packet}, {exit[1]})"

    def _case(self, name: str, target: tuple[str, int] | None, ports: Iterable[int]) -> str:
        labels = "".join(f"\tcase {port}:\n" for port in ports)
        return f"{labels}\t\treturn {self._on(name, target)};\n"

    def _action(self, name: str, cases: str) -> str:
        """C that runs the element's action on a copy; `cases` are those of its outputs."""
        number, c_name = self.plan.index[name], self.names[name]
        sends = self.plan.checked.instances[name].sends_to() is not None
        sent = f"\tcase SEND:\n\t\treturn copy_to(p, {number}, {c_name}_device);\n" if sends else ""
        return (
            f"\tconst int result = {c_name}_action(p, input);\n\n{self.counted_result(name)}"
            "\tswitch (result) {\n"
            f"{cases}{sent}"
            "\tcase PUNT:\n\t\treturn COPIES_GIVEN_UP;\n"
            "\t}\n"
            f"\tdrop_packet(p, {number}, result >= 0 ? DROP_UNCONNECTED : DROP_RESULT(result));\n"
            "\treturn 0;\n"
        )

    # -- counts of the packets at outputs ---------------------------------------------------------------------------

    def counted(self, name: str, port: int | str) -> str:
        """C that counts the packet at an output of the element, if packets are counted."""
        return f"\tcount_output(p, {self.plan.checked.first_outputs[name]} + {port});\n" if self.plan.options.counted else ""

    def counted_result(self, name: str) -> str:
        """C that counts the packet at the output that an action returns."""
        if not self.plan.options.counted or not self.plan.checked.instances[name].noutputs:
            return ""
        single = "".join(f"\tif (result == COPIES({n}))\n\t{self.counted(name, port)}" for n, port in self.single(name).items())
        return f"\tif (result >= 0)\n\t{self.counted(name, 'result')}{single}"

    # -- an element that makes copies -------------------------------------------------------------------------------

    def cases(self, name: str) -> str:
        """Cases for each result COPIES(n) after which the packet doesn't go on."""
        c_name = self.names[name]
        many = [number for number, copies in self._many(name) if copies.goes_on is None]
        return "".join(f"\tcase COPIES({number}):\n\t\treturn {c_name}_copies_{number}(p, input);\n" for number in many)

    def first(self, name: str) -> str:
        """Cases for each result COPIES(n) after which the packet goes on by an output: that output becomes the result."""
        number, share = self.plan.index[name], self.shares[name]
        cases = "".join(
            f"\tcase COPIES({n}):\n\t\tif ({self.names[name]}_copies_{n}(p, input))\n\t\t\treturn hand_over(p, {number}, input, {share});\n"
            f"\t\tresult = {copies.goes_on};\n\t\tbreak;\n"
            for n, copies in self._many(name)
            if copies.goes_on is not None
        )
        return f"\tswitch (result) {{\n{cases}\t}}\n" if cases else ""

    def _many(self, name: str) -> list[tuple[int, Copies]]:
        return [(n, copies) for n, copies in enumerate(self.plan.copies.get(name, ())) if len(copies.outputs) > 1]

    def single(self, name: str) -> dict[int, int]:
        """COPIES(n) with only one output, n -> output: the packet goes on without being copied."""
        return {n: copies.outputs[0] for n, copies in enumerate(self.plan.copies.get(name, ())) if len(copies.outputs) == 1}

    def sites(self, name: str) -> str:
        """The functions that cases() and first() call."""
        return "".join(self._site(name, number, copies) for number, copies in self._many(name))

    def _site(self, name: str, number: int, copies: Copies) -> str:
        """The function that makes the copies. It returns the verdict; where the packet goes on, whether the runtime has to make them."""
        index = self.plan.index[name]
        given_up = "return true" if copies.goes_on is not None else f"return hand_over(p, {index}, input, {self.shares[name]})"
        beside = sorted({self.plan.devices.index(device) for leaving in copies.leaving for device in leaving})
        whole = ["p->off", "p->trim"] if copies.goes_on is not None and beside else []
        asked = "\n\t    || ".join([*whole, *self._gives_up(copies)])
        ports = [port for port in copies.outputs if port != copies.goes_on]
        taken = "".join(f"\tcopy = *p;\n\tto |= {self._branch(name, port)};\n" for port in ports)
        ends = "".join(f"\tcase {_mask(self.plan, devices)}:\n{self._leave(index, devices)}" for devices in copies.leaving if devices)
        sent = f"\tswitch (to) {{\n{ends}\t}}\n\treturn DROPPED;\n"
        if copies.goes_on is not None:
            sent = self._beside(index, beside)
        return (
            f"\nstatic __always_inline int {self.names[name]}_copies_{number}(struct pkt *p, const int input)\n{{\n"
            f"{f'{chr(9)}struct pkt copy;{chr(10)}' if ports else ''}\t__u64 to = 0;\n\n"
            f"{f'{chr(9)}if ({asked}){chr(10)}{chr(9) * 2}{given_up};{chr(10)}' if asked else ''}"
            f"{taken}"
            f"\tif (to & COPIES_GIVEN_UP)\n\t\t{given_up};\n"
            f"{''.join(self.counted(name, port) for port in ports)}{sent}}}\n"
        )

    def _beside(self, index: int, devices: Sequence[int]) -> str:
        """C that sends clones by the devices in `to` before the packet goes on."""
        clones = "".join(f"\tif (to & COPY_BY({device}))\n\t\tsend_clone(p, {index}, {device});\n" for device in devices)
        return f"{clones}\treturn false;\n"

    def _gives_up(self, copies: Copies) -> list[str]:
        """C conditions under which the runtime has to make the copies. One is a frame in several buffers: the kernel's broadcast doesn't
        copy the later buffers, and the first copy that is sent frees them for all."""
        elements = {name: self.plan.checked.instances[name] for name, _ in copies.members}
        asked = [f"{self.names[name]}_gives_up(p, {port})" for name, port in copies.members if "gives_up" in elements[name].entries]
        chooses = any(CHOOSES in element.traits for element in elements.values())
        together = self.plan.options.hook != TC and any(len(devices) > 1 for devices in copies.leaving)
        partial = self.plan.options.sees_parts and (chooses or together)
        return [*(["pkt_is_partial(p)"] if partial else []), *self._stays(copies), *asked]

    def _stays(self, copies: Copies) -> list[str]:
        """C conditions under which the kernel would send other bytes by one of the devices (TC only)."""
        leaving = sorted({self.plan.devices.index(device) for devices in copies.leaving for device in devices})
        return [f"!copies_can_leave_by(p, {device})" for device in leaving] if self.plan.options.hook == TC else []

    def _branch(self, name: str, port: int) -> str:
        targets = self.plan.targets(name, port)
        return self._on(name, targets[0] if targets else None, "&copy")

    def _leave(self, index: int, devices: tuple[str, ...]) -> str:
        numbers = [self.plan.devices.index(device) for device in devices]
        traced, last = f"TRACE_SENT, {numbers[-1]}", f"send_last(p, {numbers[-1]})"
        if len(numbers) > 1:
            number = self.plan.copy_sets.index(devices)
            traced = f"TRACE_COPIED, {number}"
            last = last if self.plan.options.hook == TC else f"send_all(&copies_{number})"
        before = numbers[:-1] if self.plan.options.hook == TC else []
        return (
            f"\t\tif (!begin_copies(p, {index}, {traced}))\n\t\t\treturn DROPPED;\n"
            f"{''.join(f'{chr(9) * 2}send_copy(p, {index}, {device});{chr(10)}' for device in before)}"
            f"\t\treturn {last};\n"
        )


def _mask(plan: Plan, devices: tuple[str, ...]) -> str:
    return " | ".join(f"COPY_BY({plan.devices.index(device)})" for device in devices) or "0"
