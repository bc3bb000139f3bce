"""The stages in their order: the one module that knows which follows which.

    text -> Router -> CheckedRouter (-> CheckedRouter, optimised) -> Plan -> Sources -> objects

Each function takes the value of the stage before; commands, the loader and the test harness use as many as they need.

The stages up to the checked router report to one `Diagnostics`: each gives what is sound of its value to the next, which
adds its reports, so that one run reports all mistakes.  Only then is there a ClickError.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from clickbpf.args.devices import Devices
from clickbpf.args.names import Names
from clickbpf.build.bpf import build_bpf
from clickbpf.build.host import build_router
from clickbpf.emit import bpf
from clickbpf.emit.manifest import manifest
from clickbpf.emit.native import NativeCode, emit_native
from clickbpf.errors import Diagnostic, Diagnostics, Place, Sources
from clickbpf.graph.check import CheckedRouter, check
from clickbpf.graph.elaborate import elaborate, load_file, load_text
from clickbpf.graph.given import StandIns, check_given
from clickbpf.graph.provisions import check_requirements
from clickbpf.graph.recovery import Recovery
from clickbpf.graph.router import Element, Router
from clickbpf.graph.unparse import unparse_router
from clickbpf.lang import ast
from clickbpf.lang.load import parse_file, parse_source
from clickbpf.library import Library
from clickbpf.manifest import Manifest
from clickbpf.passes import optimise
from clickbpf.plan import Options, Plan, plan
from clickbpf.plan.devices import device_names

NO_VARIABLES: Mapping[str, str] = {}

#: Click prints this after all other errors: no file's name sorts after this place's.
NO_ROUTER = Diagnostic(Place("\U0010ffff", 0, 0), "no router", in_click=(Diagnostic(None, "Router could not be initialized!"),))


def read_file(path: str | Path, library: Library | None, variables: Mapping[str, str] = NO_VARIABLES) -> Router:
    """The flat router of a file ("-" is standard input). Without a library any name may be a class."""
    return load_file(str(path), library, variables)


def read_text(text: str, library: Library | None, variables: Mapping[str, str] = NO_VARIABLES, name: str = "config") -> Router:
    """The flat router of a text; `name` stands for its file in places."""
    return load_text(text, name, library, variables)


def check_file(
    path: str | Path,
    library: Library,
    variables: Mapping[str, str] = NO_VARIABLES,
    devices: Mapping[str, str] = NO_VARIABLES,
    added: Sequence[Element] = (),
    staged: bool = False,
) -> CheckedRouter:
    """The checked router of a file; ClickError with the mistakes of all stages.

    `devices` are those that stand for others of the configuration, whose addresses it may name; variables and devices that
    nothing uses are mistakes. `added` are elements beside those of the file, without connections. `staged` is Click's way:
    what can't be read isn't checked, a router that can be read but has mistakes gets a last line, and what nothing uses is
    a warning.
    """
    sources, found = Sources(), Diagnostics()
    return _checked(parse_file(str(path), sources, found), library, variables, devices, added, staged, found)


def check_text(
    text: str | bytes,
    library: Library,
    variables: Mapping[str, str] = NO_VARIABLES,
    name: str = "config",
    devices: Mapping[str, str] = NO_VARIABLES,
    added: Sequence[Element] = (),
    staged: bool = False,
) -> CheckedRouter:
    """The same of a text, or of an archive."""
    sources, found = Sources(), Diagnostics()
    return _checked(parse_source(text, name, sources, found), library, variables, devices, added, staged, found)


def _checked(
    file: ast.File,
    library: Library,
    variables: Mapping[str, str],
    devices: Mapping[str, str],
    added: Sequence[Element],
    staged: bool,
    found: Diagnostics,
) -> CheckedRouter:
    recovery = Recovery()
    router = elaborate(file, library, variables, found=found, recovery=recovery).with_elements(*added)
    check_requirements(router, found)
    if staged:
        found.raise_if_errors(file.sources)
    stand_ins = StandIns(devices)
    checked = check(router, library, Names(Devices(stand_ins)), found, recovery)
    own = device_names(checked.instances.values())
    report = found.warning if staged else found.error
    check_given({**variables, **devices}, router, checked.instances, own, stand_ins.asked, report, recovery)
    if staged and found.has_errors:
        found.add(NO_ROUTER)
    found.raise_if_errors(file.sources)
    return replace(checked, warnings=found.warnings)


def optimised(checked: CheckedRouter, library: Library, level: int, devices: Mapping[str, str] = NO_VARIABLES) -> CheckedRouter:
    """The router with the passes of a level applied, checked again; that has no new mistakes, and its warnings are known."""
    if not level:
        return checked
    again = check(optimise(checked.router, library, level), library, Names(Devices(devices)))
    return replace(again, warnings=checked.warnings)


@dataclass(frozen=True)
class Compilation:
    """A planned router on its way to objects; each product is made when it is asked for."""

    plan: Plan

    @classmethod
    def of(cls, checked: CheckedRouter, options: Options = Options()) -> Compilation:
        return cls(plan(checked, options))

    @property
    def checked(self) -> CheckedRouter:
        return self.plan.checked

    @cached_property
    def configuration(self) -> str:
        """The flat configuration."""
        return unparse_router(self.checked.router)

    @property
    def written(self) -> str:
        """The configuration as it was written, if that can be given to Click; where it needs extensions, the flat one."""
        router = self.checked.router
        return self.configuration if ("compact_config", "") in router.requirements else router.text or self.configuration

    @cached_property
    def hash(self) -> int:
        """32 bits that distinguish this router from others: both executors put them into every handover."""
        return zlib.crc32(self.configuration.encode())

    @cached_property
    def has_kernel_path(self) -> bool:
        """Whether any device is named: without one there is nothing to attach to."""
        return bool(self.plan.programs)

    @cached_property
    def bpf_text(self) -> str:
        """C of the kernel path."""
        return bpf.emit(self.plan, self.hash)

    @cached_property
    def manifest(self) -> Manifest:
        return manifest(self.plan, self.hash, self.configuration)

    @cached_property
    def native(self) -> NativeCode:
        """C of the runtime's router."""
        return emit_native(self.checked)

    def build_bpf(self, sections: Mapping[str, bytes] = MappingProxyType({})) -> Path:
        """The object of the kernel path, its manifest and further sections inside."""
        return build_bpf(self.bpf_text, self.manifest, sections)

    def build_native(self, sanitize: str | None = None) -> Path:
        """The shared object of the runtime's router."""
        return build_router(self.native.text, sanitize, self.native.libraries)
