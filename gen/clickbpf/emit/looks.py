"""C of the kernel path for an element that only looks at packets: instead of its class's action, a copy for the runtime."""

from clickbpf.vocabulary.looks import Look


def look(wanted: Look, name: str, number: int, sinks: bool) -> str:
    """The action of the instance with this identifier in C and this number in the router; `sinks`: it has no output."""
    conditions = ["false"] if wanted.never else []
    if wanted.switch:
        state, field = wanted.switch
        conditions.append(f"read_once({name}_{state}_at(0)->{field})")
    if wanted.needs_network:
        conditions.append("pkt_has_network_header(p)")
    call = f"look(p, {number}, input, {wanted.data}, {wanted.mac}, {wanted.network}, {wanted.transport});"
    body = "".join(f"\tif (pkt_anno_u32(p, {each}_ANNO))\n\t\treturn PUNT;\n" for each in wanted.more_with)
    body += f"\tif ({' && '.join(conditions)})\n\t\t{call}\n" if conditions else f"\t{call}\n"
    result = "STOLEN" if sinks else "OUTPUT(0)"
    return f"static __always_inline int {name}_action(struct pkt *p, const int input)\n{{\n{body}\treturn {result};\n}}\n"
