"""The stages in order: the only module that knows which stage follows which.

    text -> Router -> CheckedRouter (-> CheckedRouter, optimised) -> Plan -> C -> objects

Each function takes the value of the stage before; commands, the loader and the test harness use as many as they need.

The stages up to the checked router report to one `Diagnostics`. Each passes the sound parts of its value on to the next, which adds its
own reports, so that one run reports all mistakes; then a ClickError is raised.

The stages after checking are imported on demand, so that checking a configuration doesn't wait for their import.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from clickbpf.args.devices import Devices
from clickbpf.args.names import Names
from clickbpf.errors import ClickError, Diagnostic, Diagnostics, Place, Sources
from clickbpf.frozen import frozen
from clickbpf.graph.assignments import StandIns, check_assignments
from clickbpf.graph.check import CheckedRouter, check
from clickbpf.graph.directives import FindLibrary
from clickbpf.graph.elaborate import elaborate, read_text
from clickbpf.graph.provisions import check_requirements
from clickbpf.graph.recovery import Recovery
from clickbpf.graph.router import Element as Declaration
from clickbpf.graph.unparse import flat_configuration
from clickbpf.lang import ast
from clickbpf.lang.load import parse_file, parse_source
from clickbpf.plan import Options, Plan, plan
from clickbpf.plan.annotations import carried_annotations
from clickbpf.plan.devices import device_names
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library

if TYPE_CHECKING:
    from clickbpf.background import Background
    from clickbpf.emit.native import NativeCode
    from clickbpf.objects.manifest import Manifest

NO_VARIABLES: Mapping[str, str] = {}

#: The hand-written programs: they send packets of the runtime, run a router beside other XDP programs, count packets that devices
#: refuse, spread a device's packets over CPUs, and pass packets to Linux.
HELPERS = ("sending", "member", "refused", "spread", "tohost")

#: Click's last line after other errors. Errors are sorted by place, and no file's name sorts after this one.
NO_ROUTER = Diagnostic(Place("\U0010ffff", 0, 0), "no router", in_click=(Diagnostic(None, "Router could not be initialized!"),))


def check_file(
    path: str | Path,
    library: Library,
    variables: Mapping[str, str] = NO_VARIABLES,
    devices: Mapping[str, str] = NO_VARIABLES,
    added: Sequence[Declaration] = (),
    staged: bool = False,
) -> CheckedRouter:
    """The checked router of a file; ClickError with the mistakes of all stages.

    `devices` maps the configuration's devices to those used instead, whose addresses the configuration may name. Variables and devices
    that nothing uses are mistakes. `added` are more elements, without connections. `staged` reports as Click does: a file with syntax
    errors isn't checked further, other errors are followed by NO_ROUTER, and unused variables and devices are warnings.
    """
    sources, found = Sources(), Diagnostics()
    return _checked(parse_file(str(path), sources, found), library, variables, devices, added, staged, found)


def check_text(
    text: str | bytes,
    library: Library,
    variables: Mapping[str, str] = NO_VARIABLES,
    name: str = "config",
    devices: Mapping[str, str] = NO_VARIABLES,
    added: Sequence[Declaration] = (),
    staged: bool = False,
    find_library: FindLibrary | None = None,
) -> CheckedRouter:
    """The checked router of a text, or of an archive. `find_library` finds the libraries that it requires, instead of $CLICKPATH."""
    sources, found = Sources(), Diagnostics()
    return _checked(parse_source(text, name, sources, found), library, variables, devices, added, staged, found, find_library)


def _checked(
    file: ast.File,
    library: Library,
    variables: Mapping[str, str],
    devices: Mapping[str, str],
    added: Sequence[Declaration],
    staged: bool,
    found: Diagnostics,
    find_library: FindLibrary | None = None,
) -> CheckedRouter:
    recovery = Recovery()
    router = elaborate(file, library, variables, find_library, found=found, recovery=recovery).with_elements(*added)
    check_requirements(router, found)
    if staged:
        found.raise_if_errors(file.sources)
    stand_ins = StandIns(devices)
    checked = check(router, library, Names(Devices(stand_ins)), found, recovery)
    own = device_names(checked.instances.values())
    report = found.warning if staged else found.error
    check_assignments({**variables, **devices}, router, checked.instances, own, stand_ins.asked, report, recovery)
    if staged and found.has_errors:
        found.add(NO_ROUTER)
    found.raise_if_errors(file.sources)
    return replace(checked, warnings=found.warnings)


def optimised(
    checked: CheckedRouter,
    library: Library,
    level: int,
    devices: Mapping[str, str] = NO_VARIABLES,
    keep: frozenset[str] = frozenset(),
) -> CheckedRouter:
    """The router after the passes of a level, which keep the elements in `keep`. Checking it again finds no new mistakes, and its warnings
    are those of before."""
    if not level:
        return checked
    from clickbpf.passes import optimise

    again = check(optimise(checked.router, library, level, keep), library, Names(Devices(devices)))
    return replace(again, warnings=checked.warnings)


@frozen
class Compilation:
    """A checked router, and on demand everything that is made from it in order to run it."""

    checked: CheckedRouter
    options: Options = Options()

    @classmethod
    def reopened(cls, manifest: Manifest, library: Sequence[str] = (), devices: Mapping[str, str] = NO_VARIABLES) -> Compilation:
        """The compilation that an object was made from, by its manifest. `library` are folders of classes besides the standard ones,
        `devices` the devices used instead of the configuration's. Errors show places in the user's original configuration."""
        known = Library.standard(library)
        router = read_text(manifest.configuration, known, name="the loaded configuration")
        places = {element.name: element.position for element in manifest.elements}
        elements = tuple(replace(element, place=places.get(element.name) or element.place) for element in router.elements)
        source = {"text": manifest.written, "given": manifest.given} if manifest.written else {}
        checked = check(replace(router, elements=elements, **source), known, Names(Devices(devices)))
        made = cls(checked, Options.from_plain(manifest.planned))
        if made.hash != manifest.hash:
            raise ClickError("the object was made by another version of clickbpf, with another format of configurations")
        return made

    def anew(self) -> Compilation:
        """The same router with new instances of its elements."""
        context = next(iter(self.checked.instances.values())).context
        return replace(self, checked=check(self.checked.router, context.library, Names(context.names.devices)))

    def with_arguments(self, wanted: Element, config: str) -> Compilation:
        """The compilation with `wanted` instead of the element of that name; its configuration string becomes `config`."""
        before, name = self.checked, wanted.name
        router = before.router.with_element_replaced(name, replace(before.router.element(name), config=config))
        router = replace(router, text="")  # what was written isn't what runs any longer
        after = replace(self, checked=replace(before, router=router, instances={**before.instances, name: wanted}))
        after._natives.update({key: native.with_arguments(after.checked) for key, native in self._natives.items()})
        return after

    @cached_property
    def plan(self) -> Plan:
        return plan(self.checked, self.options)

    @cached_property
    def devices(self) -> tuple[str, ...]:
        """Names of all devices; both executors number them in this order."""
        return device_names(self.checked.instances.values())

    @cached_property
    def annotations(self) -> tuple[tuple[int, int], ...]:
        """Byte ranges (offset, length) of the annotations that cross from one executor to the other."""
        return carried_annotations(self.checked.instances.values(), self.options.traced is not None)

    @cached_property
    def configuration(self) -> str:
        """The flat configuration."""
        return flat_configuration(self.checked.router)

    @property
    def written(self) -> str:
        """The configuration as it was written, if Click can read that; with extensions of clickbpf, the flat one."""
        router = self.checked.router
        return self.configuration if ("compact_config", "") in router.requirements else router.text or self.configuration

    @cached_property
    def hash(self) -> int:
        """32 bits that distinguish this router from others: both executors put them into every handover."""
        traced, at = self.options.traced, self.options.traced_at
        tracing = b"" if traced is None else repr((traced, at and sorted(at))).encode()
        return zlib.crc32(self.configuration.encode("utf-8", "surrogateescape") + tracing)

    @cached_property
    def has_kernel_path(self) -> bool:
        """Whether there are programs to attach: not if the router has no device."""
        return bool(self.plan.programs)

    @cached_property
    def bpf_text(self) -> str:
        """C of the kernel path."""
        from clickbpf.emit import bpf

        return bpf.emit(self.plan, self.hash)

    @cached_property
    def manifest(self) -> Manifest:
        from clickbpf.emit.manifest import manifest

        return manifest(self.plan, self.hash, self.configuration)

    def build_bpf(self, sections: Mapping[str, bytes] = MappingProxyType({})) -> Path:
        """The object of the kernel path, with its manifest and `sections`."""
        from clickbpf.build.bpf import build_bpf

        return build_bpf(self.bpf_text, self.manifest, sections)

    def build_for(self, threads: int, soon: bool = False) -> Path:
        """The object of the kernel path. The runtime's object for that many threads is compiled at the same time: with `soon` the one that
        compiles fast. (A router that replaces another needn't hurry, since the other one runs meanwhile.)"""
        from clickbpf.build.compiler import at_once

        made = at_once(self.build_bpf, lambda: self.native(threads).first if soon else self.native(threads).path)
        return Path(made[0])

    def build_carrier(self, library: Sequence[str] = ()) -> Path:
        """The object of the kernel path with all files that loading it takes, as the loader would compile them."""
        from clickbpf.build import carried

        native = Compilation.reopened(self.manifest, library).native()
        to_host = self.manifest.tohost_devices or self.manifest.sniffed_devices
        helpers = [helper_object(name) for name in HELPERS if name != "tohost" or to_host]
        return self.build_bpf({carried.SECTION: carried.pack([native.library, native.path, *helpers])})

    def same_code(self, wanted: Element) -> bool:
        """Whether the element `wanted` compiles to the same code as the present one of its name, so that its new arguments only affect
        state."""
        from clickbpf.emit.instance import same_code

        return same_code(self.checked.instances[wanted.name], wanted)

    def native(self, threads: int = 1, sanitize: str | None = None) -> NativeRouter:
        """The runtime's part, for that many threads; `sanitize` is the value of the compiler's -fsanitize."""
        return self._natives.setdefault((threads, sanitize), NativeRouter(self.checked, threads, sanitize))

    @cached_property
    def _natives(self) -> dict[tuple[int, str | None], NativeRouter]:
        return {}


@frozen
class NativeRouter:
    """The runtime's part of a compilation: a shared object, linked to the runtime's library."""

    checked: CheckedRouter
    threads: int
    sanitize: str | None

    @cached_property
    def code(self) -> NativeCode:
        """Its C, with what is needed to compile and start it."""
        from clickbpf.emit.native import emit_native

        return emit_native(self.checked, self.threads)

    @cached_property
    def library(self) -> Path:
        """The runtime's library, also for objects that later replace this one."""
        from clickbpf.build.host import build_library

        return build_library(self.sanitize)

    @cached_property
    def path(self) -> Path:
        """The optimised object."""
        from clickbpf.build.host import build_router

        return self._built or build_router(**self._parts)

    @property
    def first(self) -> Path:
        """The object to begin with: the quick one, if there is one."""
        return self.quick or self.path

    @cached_property
    def quick(self) -> Path | None:
        """An object compiled in a quarter of the time without optimisation, which `optimised()` can replace in the running router. None if
        the optimised object is in the cache already, or the environment's flags say how to optimise."""
        from clickbpf.build.host import QUICK, build_router, is_exchangeable, optimises

        if self.sanitize or self._built or not optimises():
            return None
        quick = build_router(**self._parts, flags=QUICK)
        return quick if is_exchangeable(quick) else None

    def optimised(self, background: Background) -> Path:
        """The optimised object, compiled by `background`; raises Cancelled if that is cancelled."""
        from clickbpf.build.host import build_router

        return build_router(**self._parts, background=background)

    @cached_property
    def _built(self) -> Path | None:
        """The optimised object, if it is compiled already."""
        from clickbpf.build.host import built_router

        return built_router(self._parts["content"], self.sanitize, self.code.libraries)

    @cached_property
    def _parts(self) -> dict[str, Any]:
        """The arguments of build_router()."""
        from clickbpf.build.host import router_content

        code = self.code
        return {
            "text": code.text,
            "sanitize": self.sanitize,
            "libraries": code.libraries,
            "library": self.library,
            "headers": code.headers,
            "content": router_content(code.text, code.headers),
        }

    def fits(self, content: bytes) -> bool:
        """Whether an object of the kernel path carries this router for the runtime, or none."""
        from clickbpf.build import carried
        from clickbpf.build.host import router_stem

        routers = [name for name in carried.names(content) if name.startswith("router-")]
        stem = router_stem(self.code.text, self.sanitize, self.code.libraries, self.code.headers)
        return not routers or any(name.startswith(stem) for name in routers)

    def with_arguments(self, checked: CheckedRouter) -> NativeRouter:
        """The runtime's part of the router with other arguments, linked to the same library so that it can replace this one."""
        other = NativeRouter(checked, self.threads, self.sanitize)
        vars(other)["library"] = self.library
        return other

    @property
    def is_exchangeable(self) -> bool:
        """Whether `first` can be replaced by, and replace, another object in a running router."""
        from clickbpf.build.host import is_exchangeable

        return bool(self.sanitize) or is_exchangeable(self.first)


def helper_object(name: str) -> Path:
    """The object of a hand-written program, `bpf/NAME.bpf.c`; one of HELPERS."""
    from clickbpf.build.bpf import build_helper

    return build_helper(name)


def unpack_carried(content: bytes, folder: Path) -> None:
    """Write the files that an object carries, if any, into a new folder."""
    from clickbpf.build import carried

    carried.unpack(content, folder)
