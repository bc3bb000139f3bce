"""Routers whose kernel path is loaded for test runs on packets in memory, with their runtime, which has no devices; perhaps with
further programs beside theirs."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from types import MappingProxyType

from clickbpf.build.bpf import build_bpf
from clickbpf.compile import Compilation, check_text
from clickbpf.graph.check import CheckedRouter
from clickbpf.load.path.kernelpath import KernelPath, cpus, load_kernel
from clickbpf.objects.hooks import XDP
from clickbpf.objects.manifest import ProgramEntry
from clickbpf.plan import Options
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library

LOOPBACK = 1
#: Further programs: title -> what adds it to a C text under a name.
Runs = Mapping[str, Callable[[str, str], str]]
NONE: Runs = MappingProxyType({})
#: What test runs return.
DROP, PASS, REDIRECT = 1, 2, 4


class Loaded:
    """A checked router, compiled with these options and loaded. `runs` are its further programs, by their titles."""

    def __init__(
        self,
        undo: ExitStack,
        checked: CheckedRouter,
        options: Options = Options(),
        runs: Runs = NONE,
        variables: Mapping[str, bytes] | None = None,
    ):
        compilation = Compilation(checked, options)
        text, manifest = with_runs(runs, compilation.bpf_text), compilation.manifest
        manifest = replace(manifest, programs=(*manifest.programs, *(ProgramEntry(name, XDP) for name in run_names(runs))))
        built = build_bpf(text, manifest).read_bytes()
        self.path: KernelPath = undo.enter_context(load_kernel(built, manifest, variables=variables))
        link(self.path.role("tx"))
        states = self.path.states(checked.instances)
        self.runtime = undo.enter_context(Runtime(compilation, memories=states, slots=self.path.slots, first_slot=cpus()))
        self.runs = {title: self.path.programs[name] for name, title in run_names(runs).items()}

    @classmethod
    def of_text(cls, undo: ExitStack, text: str, runs: Runs = NONE, options: Options = Options()) -> Loaded:
        """A router between devices `in` and `out`."""
        return cls(undo, check_text(text, Library.standard()), options, runs)

    def program(self, device: str = "in"):
        """The program that packets of a device enter."""
        return self.path.programs[f"xdp_{device}"]


def run_names(runs: Runs) -> dict[str, str]:
    """C names of further programs, with their titles."""
    return {f"run{number}": title for number, title in enumerate(runs)}


def with_runs(runs: Runs, text: str) -> str:
    for name, title in run_names(runs).items():
        text = runs[title](text, name)
    return text


def link(devices) -> None:
    """Let the first two devices be any that there are: a test run says that a packet is redirected, and sends nothing."""
    for device in (0, 1):
        devices.update(struct.pack("=I", device), struct.pack("=I", LOOPBACK))
