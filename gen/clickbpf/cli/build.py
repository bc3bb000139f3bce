"""Compile a configuration to a BPF object that describes itself."""

import argparse
import json
import re
from pathlib import Path

from clickbpf.cli.options import add_input, add_plan, compilation, config_file, no_more_words, words
from clickbpf.cli.output import write_bytes, write_text
from clickbpf.cli.verify import PROVED, REFUTED, UNDECIDED
from clickbpf.compile import Compilation
from clickbpf.errors import ClickError
from clickbpf.objects.hooks import TC


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add_plan(parser)
    where = "the file to write (default: for objects the configuration's name with .o, for texts standard output)"
    parser.add_argument("-o", "--output", metavar="FILE", help=where)
    texts = parser.add_mutually_exclusive_group()
    texts.add_argument("--emit-c", action="store_true", help="print the C text of the BPF programs instead")
    texts.add_argument("--emit-native-c", action="store_true", help="print the C text of the user-space router instead")
    texts.add_argument("--emit-manifest", action="store_true", help="print the manifest instead")
    texts.add_argument("--oci", metavar="DIR", help="write an OCI image layout for bpfman into the new folder DIR instead")
    application = "print a ClusterBpfApplication instead, with which bpfman loads the image at IMAGE on the nodes of a cluster"
    texts.add_argument("--application", metavar="IMAGE", help=application)
    skeleton = "print a C header instead, with which C programs load the kernel path by libbpf; NAME begins all its names"
    texts.add_argument("--skeleton", metavar="NAME", help=skeleton)
    proved = "write the object only if it is proved to treat every packet as it would without -O, with --chain toggled, and, on TC, on XDP"
    texts.add_argument("--prove", action="store_true", help=proved)
    texts.add_argument("--native", action="store_true", help="compile the user-space router, a shared object, instead")


def run(options: argparse.Namespace) -> int | None:
    no_more_words(words(options))
    made = compilation(options)
    if options.emit_c:
        write_text(_with_kernel_path(made).bpf_text, options.output)
    elif options.emit_native_c:
        write_text(made.native().code.text, options.output)
    elif options.emit_manifest:
        write_text(made.manifest.to_json() + "\n", options.output)
    elif options.oci is not None:
        _write_image(_with_kernel_path(made), options)
    elif options.application is not None:
        _write_application(_with_kernel_path(made), options)
    elif options.skeleton is not None:
        _write_skeleton(made, options)
    elif options.native:
        write_bytes(made.native().path.read_bytes(), _output(options, ".so"))
    elif options.prove and (failed := _prove(_with_kernel_path(made), options)):
        return failed
    else:
        content = _with_kernel_path(made).build_carrier(options.elements).read_bytes()
        write_bytes(content, _output(options, ".o"))


def _prove(made: Compilation, options: argparse.Namespace) -> int:
    """Compare the router with itself without optimisation, and cut into other programs; the exit status."""
    from clickbpf.cli.diff import print_comparison, status, unloaded
    from clickbpf.prove.differences import compare

    (router,) = unloaded(made)
    others = {"fused" if options.chain else "--chain": {"chain": not options.chain}}
    others |= {"-O0": {"optimise": 0}} if options.optimise else {}
    others |= {"--hook xdp": {"hook": None}} if options.hook == TC else {}
    found: list[int] = []
    for name, changed in others.items():
        other = argparse.Namespace(**{**vars(options), **changed})
        comparison = compare(*unloaded(compilation(other)), router)
        print(f"{name}: ", end="")
        print_comparison(comparison)
        found.append(status(comparison))
    return next((each for each in (REFUTED, UNDECIDED) if each in found), PROVED)


def _write_image(made: Compilation, options: argparse.Namespace) -> None:
    """Leaves out the runtime's code: only clickbpf can start a runtime."""
    from clickbpf.ship import bpfman, oci

    if options.output is not None:
        raise ClickError("an image is written to the folder given by --oci", hint="leave out -o")
    content = made.build_bpf().read_bytes()
    oci.write_layout(Path(options.oci), _own_name(options, ".o"), content, bpfman.labels(content, made.manifest))


def _write_application(made: Compilation, options: argparse.Namespace) -> None:
    from clickbpf.ship import bpfman

    if not re.fullmatch(r"\S+", options.application):
        raise ClickError(f"'{options.application}' is not the address of an image", hint="--application quay.io/me/router:latest")
    write_text(json.dumps(bpfman.application(_own_name(options, ""), options.application, made.manifest), indent=2) + "\n", options.output)


def _write_skeleton(made: Compilation, options: argparse.Namespace) -> None:
    from clickbpf.ship import skeleton

    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", options.skeleton):
        raise ClickError(f"'{options.skeleton}' can't begin the names of a C header", hint="--skeleton router")
    content = _with_kernel_path(made).build_bpf().read_bytes()
    write_text(skeleton.header(content, made.manifest, options.skeleton), options.output)


def _with_kernel_path(made: Compilation) -> Compilation:
    if not made.has_kernel_path:
        raise ClickError("nothing of this configuration runs in the kernel", hint="'clickbpf plan' says why")
    return made


def _output(options: argparse.Namespace, suffix: str) -> str:
    return _own_name(options, suffix) if options.output is None else options.output


def _own_name(options: argparse.Namespace, suffix: str) -> str:
    """The name of the configuration's file, with another suffix."""
    file = config_file(options)
    return f"router{suffix}" if file in (None, "-") else Path(file).with_suffix(suffix).name
