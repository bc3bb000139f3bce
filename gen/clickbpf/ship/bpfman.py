"""Descriptions of an object for bpfman, a manager of BPF programs on machines and in clusters.

Source: bpfman's documentation, "eBPF Bytecode Image Specifications", and its resource definition clusterbpfapplications.bpfman.io
(v1alpha1).
"""

import json
import re
from typing import Any

from clickbpf.errors import ClickError
from clickbpf.load.kernel.objects import Object
from clickbpf.objects.hooks import TC
from clickbpf.objects.manifest import Manifest, ProgramEntry
from clickbpf.ship.limits import makes_no_devices

#: The programs' priority among others on a device, in the middle of the range.
PRIORITY = 500


def labels(content: bytes, manifest: Manifest) -> dict[str, str]:
    """Labels of an image with the object: its programs and maps with their kinds, each a JSON object."""
    check(manifest)
    with Object(content) as opened:
        maps = {name: opened.map_type(name) for name in opened.maps}
    programs = {program.name: program.section for program in manifest.programs}
    return {"io.ebpf.programs": json.dumps(programs), "io.ebpf.maps": json.dumps(maps)}


def application(name: str, image: str, manifest: Manifest) -> dict[str, Any]:
    """A ClusterBpfApplication, which has every node of a cluster attach an image's programs to its devices."""
    check(manifest)
    return {
        "apiVersion": "bpfman.io/v1alpha1",
        "kind": "ClusterBpfApplication",
        "metadata": {"name": resource_name(name)},
        "spec": {
            "nodeSelector": {},
            "byteCode": {"image": {"url": image}},
            "programs": [_program(program, manifest.hook) for program in manifest.programs if program.device is not None],
        },
    }


def resource_name(name: str) -> str:
    """A name that Kubernetes accepts: lower case letters, digits and inner hyphens, at most 63 characters (RFC 1123)."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower())[:63].strip("-") or "router"


def check(manifest: Manifest) -> None:
    """ClickError if the programs can't run with a loader that knows nothing about clickbpf."""
    if manifest.of_role("jumps"):
        raise ClickError(
            "the kernel path is cut into several programs, which bpfman doesn't link", hint="leave out --chain, or make the router smaller"
        )
    makes_no_devices(manifest, "bpfman")


def _program(program: ProgramEntry, hook: str) -> dict[str, Any]:
    kind = "tcx" if hook == TC else "xdp"
    link: dict[str, Any] = {"interfaceSelector": {"interfaces": [program.device]}, "priority": PRIORITY}
    if kind == "tcx":
        link["direction"] = "ingress"
    return {"name": program.name, "type": kind, f"{kind}Info": {"links": [link]}}
