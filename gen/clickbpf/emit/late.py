"""C text of the kernel path for copies that are changed on their way out (plan/late.py): a program for each device.

Each element that such copies meet has one more function, `e_tap_late()`, which runs its action and goes where the result says, without
a jump; it returns whether the frame is sent.
"""

from __future__ import annotations

from collections.abc import Mapping

from clickbpf.objects.cnames import device_names
from clickbpf.objects.hooks import TC
from clickbpf.plan.values import Copies, Plan

from .way import WayText


def late_name(plan: Plan, device: str) -> str:
    """The C function, and so the kernel's name, of a device's program."""
    return f"leaving_{device_names(plan.devices)[device]}"


class LateText(WayText):
    way, type = "late", "int"

    def __init__(self, plan: Plan, names: Mapping[str, str], shares: Mapping[str, int]):
        super().__init__(plan, names, shares)
        self.members = self._reached()

    def _reached(self) -> frozenset[str]:
        pending = [(name, port) for name, _, copies in self.plan.late_copies for port, _ in copies.late]
        found: set[str] = set()
        while pending:
            for target, _ in self.plan.targets(*pending.pop()):
                if target not in found:
                    found.add(target)
                    pending += [(target, port) for port in range(self.plan.checked.instances[target].noutputs)]
        return frozenset(found)

    def action(self, name: str, cases: str) -> str:
        element, number, c_name = self.plan.checked.instances[name], self.plan.index[name], self.names[name]
        changes = not (element.looks or element.keeps_header)
        sent = f"\tcase SEND:\n\t\treturn late_send(p, {number}, {c_name}_device);\n" if element.sends_to() is not None else ""
        give_up = f"hand_over(p, {number}, input, {self.shares[name]})"
        unseen = f"\tif (pkt_is_unseen(p))\n\t\treturn {give_up};\n" if self.plan.options.sees_parts else ""
        forget = "\tpkt_forget_header(p);\n" if changes else ""
        noted = "\tpkt_forget_paint(p);\n" if changes or element.annotations_written() else ""
        return (
            f"{noted}\tconst int result = {c_name}_action(p, input);\n\n{forget}{unseen}"
            "\tswitch (result) {\n"
            f"{cases}{sent}"
            f"\tcase PUNT:\n\t\treturn {give_up};\n"
            "\t}\n"
            f"\treturn drop_packet(p, {number}, result >= 0 ? DROP_UNCONNECTED : DROP_RESULT(result));\n"
        )

    def unconnected(self, name: str, packet: str) -> str:
        return f"drop_packet({packet}, {self.plan.index[name]}, DROP_UNCONNECTED)"

    # -- the devices' programs --------------------------------------------------------------------------------------

    def programs(self) -> str:
        return "".join(self._program(device) for device in self.plan.late_devices)

    def _program(self, device: str) -> str:
        cases = "".join(
            f"\tcase LATE_SITE({self.plan.index[name]}, {number}):\n\t\treturn {self._at(name, copies, device)};\n"
            for name, number, copies in self.plan.late_copies
            if any(device in devices for devices in copies.leaving)
        )
        return (
            f'\nSEC("{TC}")\nint {late_name(self.plan, device)}(struct CONTEXT *ctx)\n{{\n'
            "\tstruct pkt p;\n\n"
            f"\tswitch (late_arrive(&p, ctx, {self.plan.devices.index(device)})) {{\n"
            "\tcase LATE_NONE:\n\t\treturn TC_ACT_UNSPEC;\n"
            f"{cases}"
            "\t}\n"
            "\treturn TC_ACT_SHOT;\n}\n"
        )

    def _at(self, name: str, copies: Copies, device: str) -> str:
        """C expression for what becomes of a device's copy."""
        port = next((port for port, leaves in copies.late if leaves == device), None)
        if port is None:
            return f"late_unchanged(&p, {self.plan.index[name]}, {self.plan.devices.index(device)})"
        targets = self.plan.targets(name, port)
        return self.on(name, targets[0], "&p")
