"""Show what a compiled object says about itself: programs, maps, state and elements."""

import argparse

from clickbpf.cli.flags import add_json
from clickbpf.cli.output import print_json, print_table, read_bytes
from clickbpf.objects.manifest import ElementEntry, Manifest, MapEntry, to_plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("object", help="an object made by 'clickbpf build'")
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    content = read_bytes(options.object)
    manifest = Manifest.from_object(content, options.object)
    if options.json:
        print_json(to_plain(manifest))
        return
    print(f"router {manifest.hash:08x}, made by clickbpf {manifest.version}, for {', '.join(manifest.devices) or 'no device'}\n")
    print_table(("program", "section", "attached to"), ((p.name, p.section, p.device or f"jump {p.jump}") for p in manifest.programs))
    print()
    print_table(("map", "role", "entries", "bytes each"), ((m.name, m.role, _entries(m), m.stride or "") for m in manifest.maps))
    print()
    print_table(("element", "state", "map", "at byte"), ((s.element, s.state, s.map, s.offset) for s in manifest.states))
    print()
    print_table(("element", "class", "runs", "handlers"), ((e.name, e.class_name, e.placement, _handlers(e)) for e in manifest.elements))


def _entries(entry: MapEntry) -> str:
    return f"{entry.entries} a slot" if entry.per_slot else str(entry.entries)


def _handlers(element: ElementEntry) -> str:
    return " ".join(h.name + ("(w)" if h.write and not h.read else "(rw)" if h.write else "") for h in element.handlers)
