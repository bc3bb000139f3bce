"""The stages in order: the only module that knows which follows which.

    text -> Router -> CheckedRouter (-> CheckedRouter, optimised) -> Plan -> Sources -> objects

Each function takes the value of the stage before; commands, the loader and the test harness use as many as they need.

The stages up to the checked router report to one `Diagnostics`: each gives what is sound of its value to the next, which
adds its reports, so that one run reports all mistakes.  Only then is there a ClickError.

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
from clickbpf.graph.check import CheckedRouter, check
from clickbpf.graph.directives import FindLibrary
from clickbpf.graph.elaborate import elaborate, load_file, load_text
from clickbpf.graph.given import StandIns, check_given
from clickbpf.graph.provisions import check_requirements
from clickbpf.graph.recovery import Recovery
from clickbpf.graph.router import Element as Declaration
from clickbpf.graph.router import Router
from clickbpf.graph.unparse import unparse_router
from clickbpf.lang import ast
from clickbpf.lang.load import parse_file, parse_source
from clickbpf.plan import Options, Plan, plan
from clickbpf.plan.annotations import carried_annotations
from clickbpf.plan.devices import device_names
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library

if TYPE_CHECKING:
    from clickbpf.aside import Aside
    from clickbpf.emit.native import NativeCode
    from clickbpf.objects.manifest import Manifest

NO_VARIABLES: Mapping[str, str] = {}

#: The programs that are written by hand: they send packets of the runtime, run a router beside other XDP programs, count what devices
#: refuse, spread a device's packets over CPUs, and pass packets to Linux.
HELPERS = ("sending", "member", "refused", "spread", "tohost")

#: Click prints this after all other errors: no file's name sorts after this place's.
NO_ROUTER = Diagnostic(Place("\U0010ffff", 0, 0), "no router", in_click=(Diagnostic(None, "Router could not be initialized!"),))


def read_file(path: str | Path, library: Library | None, variables: Mapping[str, str] = NO_VARIABLES) -> Router:
    """The flat router of a file ("-" is standard input). Without a library any name may be a class."""
    return load_file(str(path), library, variables)


def read_text(text: str, library: Library | None, variables: Mapping[str, str] = NO_VARIABLES, name: str = "config") -> Router:
    """The flat router of a text; `name` is shown as its file in places."""
    return load_text(text, name, library, variables)


def check_file(
    path: str | Path,
    library: Library,
    variables: Mapping[str, str] = NO_VARIABLES,
    devices: Mapping[str, str] = NO_VARIABLES,
    added: Sequence[Declaration] = (),
    staged: bool = False,
) -> CheckedRouter:
    """The checked router of a file; ClickError with the mistakes of all stages.

    `devices` maps the configuration's devices to those used in their place, whose addresses it may name; variables and devices
    that nothing uses are mistakes. `added` are elements beside those of the file, without connections. `staged` reports as Click
    does: what can't be read isn't checked, a router that can be read but has mistakes gets a last line, and unused variables and
    devices are warnings.
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
    """The checked router of a text, or of an archive. `find_library` finds what it requires, in the place of files."""
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
    check_given({**variables, **devices}, router, checked.instances, own, stand_ins.asked, report, recovery)
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
    """The router with the passes of a level applied, except to elements in `keep`, checked again; that has no new mistakes, and its
    warnings are known."""
    if not level:
        return checked
    from clickbpf.passes import optimise

    again = check(optimise(checked.router, library, level, keep), library, Names(Devices(devices)))
    return replace(again, warnings=checked.warnings)


@frozen
class Compilation:
    """A checked router and everything that is made from it in order to run it; each product is made on demand."""

    checked: CheckedRouter
    options: Options = Options()

    @classmethod
    def reopened(cls, manifest: Manifest, library: Sequence[str] = (), devices: Mapping[str, str] = NO_VARIABLES) -> Compilation:
        """What an object was made from, from its manifest; `library` are folders of classes beside the standard ones, `devices`
        those used for others of the configuration. Errors name the places in the configuration as the user wrote it."""
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
        """The same router from its configuration, its elements made once more."""
        context = next(iter(self.checked.instances.values())).context
        return replace(self, checked=check(self.checked.router, context.library, Names(context.names.devices)))

    def with_arguments(self, wanted: Element, config: str) -> Compilation:
        """The compilation with `wanted` in the place of the element of that name, whose configuration string becomes `config`."""
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
        return unparse_router(self.checked.router)

    @property
    def written(self) -> str:
        """The configuration as it was written, if that can be given to Click; where it needs extensions, the flat one."""
        router = self.checked.router
        return self.configuration if ("compact_config", "") in router.requirements else router.text or self.configuration

    @cached_property
    def hash(self) -> int:
        """32 bits that distinguish this router from others: both executors put them into every handover."""
        traced, at = self.options.traced, self.options.traced_at
        told = b"" if traced is None else repr((traced, at and sorted(at))).encode()
        return zlib.crc32(self.configuration.encode("utf-8", "surrogateescape") + told)

    @cached_property
    def has_kernel_path(self) -> bool:
        """Whether any device is named: without one there is nothing to attach to."""
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
        """The object of the kernel path, its manifest and further sections inside."""
        from clickbpf.build.bpf import build_bpf

        return build_bpf(self.bpf_text, self.manifest, sections)

    def build_for(self, threads: int, soon: bool = False) -> Path:
        """The object of the kernel path. The runtime's, for that many threads, is compiled at the same time: with `soon` the one to begin
        with. (A router that takes another's place has time, since that one runs meanwhile.)"""
        from clickbpf.build.compiler import at_once

        made = at_once(self.build_bpf, lambda: self.native(threads).first if soon else self.native(threads).path)
        return Path(made[0])

    def build_carrier(self, library: Sequence[str] = ()) -> Path:
        """The same with everything needed to load it elsewhere, compiled as the loader would compile it."""
        from clickbpf.build import carried

        native = Compilation.reopened(self.manifest, library).native()
        to_host = self.manifest.tohost_devices or self.manifest.sniffed_devices
        helpers = [helper_object(name) for name in HELPERS if name != "tohost" or to_host]
        return self.build_bpf({carried.SECTION: carried.pack([native.library, native.path, *helpers])})

    def same_code(self, wanted: Element) -> bool:
        """Whether the element compiles to the same text as before: its changed arguments only affect its state."""
        from clickbpf.emit.instance import same_code

        return same_code(self.checked.instances[wanted.name], wanted)

    def native(self, threads: int = 1, sanitize: str | None = None) -> NativeRouter:
        """The runtime's router, for that many threads; `sanitize` is an argument of the compiler's -fsanitize."""
        return self._natives.setdefault((threads, sanitize), NativeRouter(self.checked, threads, sanitize))

    @cached_property
    def _natives(self) -> dict[tuple[int, str | None], NativeRouter]:
        return {}


@frozen
class NativeRouter:
    """The runtime's part of a compilation: a shared object, which is linked to the runtime's library."""

    checked: CheckedRouter
    threads: int
    sanitize: str | None

    @cached_property
    def code(self) -> NativeCode:
        """Its C, and the order of the memories that the object is given."""
        from clickbpf.emit.native import emit_native

        return emit_native(self.checked, self.threads)

    @cached_property
    def library(self) -> Path:
        """The runtime's library: the one for this object and all that is compiled for it later."""
        from clickbpf.build.host import build_library

        return build_library(self.sanitize)

    @cached_property
    def path(self) -> Path:
        """The object."""
        from clickbpf.build.host import build_router

        return self._built or build_router(**self._parts)

    @property
    def first(self) -> Path:
        """The object to begin with."""
        return self.quick or self.path

    @cached_property
    def quick(self) -> Path | None:
        """Unless the object is compiled already, one that is compiled sooner and does the same, more slowly: `optimised()` can take its
        place in the running router. None also where the environment says how to optimise."""
        from clickbpf.build.host import QUICK, build_router, is_exchangeable, optimises

        if self.sanitize or self._built or not optimises():
            return None
        quick = build_router(**self._parts, flags=QUICK)
        return quick if is_exchangeable(quick) else None

    def optimised(self, aside: Aside) -> Path:
        """The object that `path` is, compiled aside; perhaps Cancelled."""
        from clickbpf.build.host import build_router

        return build_router(**self._parts, aside=aside)

    @cached_property
    def _built(self) -> Path | None:
        """The object, if it need not be compiled."""
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
        """Whether the runtime's router that an object of the kernel path carries, if it carries one, is this one."""
        from clickbpf.build import carried
        from clickbpf.build.host import router_stem

        routers = [name for name in carried.names(content) if name.startswith("router-")]
        stem = router_stem(self.code.text, self.sanitize, self.code.libraries, self.code.headers)
        return not routers or any(name.startswith(stem) for name in routers)

    def with_arguments(self, checked: CheckedRouter) -> NativeRouter:
        """The same of the router with other arguments, to go on in this one's place: for the library that is loaded."""
        other = NativeRouter(checked, self.threads, self.sanitize)
        vars(other)["library"] = self.library
        return other

    @property
    def is_exchangeable(self) -> bool:
        """Whether `first` can take the place of another object in a running router."""
        from clickbpf.build.host import is_exchangeable

        return bool(self.sanitize) or is_exchangeable(self.first)


def helper_object(name: str) -> Path:
    """The object of programs that are written by hand, `bpf/NAME.bpf.c`; one of HELPERS."""
    from clickbpf.build.bpf import build_helper

    return build_helper(name)


def unpack_carried(content: bytes, folder: Path) -> None:
    """Put what an object carries, if it carries anything, into a folder that is made for it."""
    from clickbpf.build import carried

    carried.unpack(content, folder)


def take_carried(folder: Path) -> None:
    """From now on take products from such a folder if they are in it, rather than compile them."""
    from clickbpf.cache import take_from

    take_from(folder)
