"""The manual page of an element class as plain text, for `doc`, drawings, and editors.

A page consists of the class's docstring and of sections made from its declarations: the form of its configuration, its arguments, ports
and handlers with their texts. Sections in the docstring replace these: `Synopsis:` and `Ports:` as a whole; `Arguments:` and `Handlers:`
for the items that they name. A short example may follow its heading: `Example: FromDevice(eth0) -> Paint(3) -> Discard;`.
"""

import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator

from clickbpf.args.declare import SAME, Argument, Rest
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.handlers import Handler

#: The sections of a page in their order; text outside of sections comes after the synopsis.
TEXT = ""
SECTIONS = ("Synopsis", TEXT, "Arguments", "Ports", "Handlers", "Example")
#: The most keyword arguments that a synopsis lists.
MOST_KEYWORDS = 8
#: Click's port counts in words, of ports of one kind.
NUMBERS = {
    "1": "one {}", "0-1": "one {} (may be missing)", "2": "two {}s", "1-": "one or more {}s", "2-": "two or more {}s",
    "-": "any number of {}s", "=": "as many {}s",
}  # fmt: skip
KINDS = {"h": "push ", "l": "pull ", "a": ""}
#: The width of a line.
WIDTH = 118


def manual(found: type[Element]) -> str:
    """The page, with the class's name and aliases, without a newline at its end."""
    lines = [f"{found.class_name()} – {page(found) or 'no manual page'}"]
    if found.aliases:
        lines += ["", f"Other names: {', '.join(found.aliases)}"]
    return "\n".join(lines)


def page(found: type[Element]) -> str:
    """The page: a summary in one line, and the sections."""
    written = inspect.getdoc(found) or ""
    if not written:
        return ""
    summary, _, rest = written.partition("\n")
    own = dict(sections(rest))
    made = {
        "Synopsis": own.get("Synopsis") or f"Synopsis: `{synopsis(found)}`",
        TEXT: own.get(TEXT, ""),
        "Arguments": _listed("Arguments", own, _arguments(found, own.get("Arguments", "")), in_order(found.args)),
        "Ports": own.get("Ports") or ports(found),
        "Handlers": _listed("Handlers", own, _handlers(found, own.get("Handlers", ""), own.get("Arguments", ""))),
        "Example": re.sub(r"^Example: (.*;)$", r"Example:\n\n    \1", own.get("Example", "")),
    }
    return "\n\n".join([summary, *(made[name] for name in SECTIONS if made[name])])


def summary(found: type[Element]) -> str:
    """The first line of the page."""
    return (inspect.getdoc(found) or "").split("\n", 1)[0]


def sections(text: str) -> Iterator[tuple[str, str]]:
    """The sections of a docstring with their headings. The synopsis and the ports are one paragraph each."""
    texts: dict[str, list[str]] = {}
    name = TEXT
    for paragraph in re.split(r"\n\n+", text.strip("\n")):
        heading = re.match(r"(Synopsis|Arguments|Ports|Handlers|Example):", paragraph)
        name = heading[1] if heading else TEXT if name in ("Synopsis", "Ports") else name
        texts.setdefault(name, []).append(paragraph)
    return ((name, "\n\n".join(paragraphs)) for name, paragraphs in texts.items())


def synopsis(found: type[Element]) -> str:
    """The form of the class's configuration: `Paint(COLOR, [ANNO, ACTIVE ...])`."""
    written = _named(dict(sections(inspect.getdoc(found) or "")).get("Arguments", ""))
    shown = [each for each in in_order(found.args) if each.text or each.name in written or each.required]
    needed = [form(argument) for argument in shown if argument.required]
    others = [argument for argument in shown if not argument.required]
    first = [form(argument) for argument in others if argument.positional or isinstance(argument, Rest)]
    named = [form(argument) for argument in others if not argument.positional and not isinstance(argument, Rest)]
    optional = [*first, *(named if len(named) <= MOST_KEYWORDS else ["KEYWORD ..."])]
    every = [*needed, *([f"[{', '.join(optional)}]"] if optional else [])]
    return found.class_name() + (f"({', '.join(every)})" if every else "")


def in_order(declared: Iterable[Argument]) -> list[Argument]:
    """Arguments in a page's order: first positional ones, then required ones."""
    return sorted(declared, key=lambda each: 0 if each.positional or isinstance(each, Rest) else 1 if each.required else 2)


def form(argument: Argument) -> str:
    """An argument's form in a synopsis."""
    return f"{argument.name}, ..." if isinstance(argument, Rest) else argument.name if argument.positional else f"{argument.name} ..."


def ports(found: type[Element]) -> str:
    """Click's port counts and processing code in words, for the common ones."""
    if not isinstance(found.ports, str) or not isinstance(found.processing, str):
        return ""
    if found.ports in ("0/0", "0"):
        return "Ports: none."
    counts, kinds = (each.split("/") if "/" in each else [each, each] for each in (found.ports, found.processing))
    words = [_side(*side) for side in zip(counts, kinds, ("input", "output")) if side[0] != "0"]
    return "" if None in words else f"Ports: {('; ' if ',' in str(words[-1]) else ', ').join(map(str, words))}."


def _side(count: str, kinds: str, side: str) -> str | None:
    """The inputs or outputs of a class in words; those of several kinds, and a second one that may be missing, one by one."""
    if not set(kinds) <= set(KINDS):
        return None
    if count in NUMBERS and len(kinds) == 1:
        return NUMBERS[count].format(f"{KINDS[kinds]}{side}")
    least, _, most = count.partition("-")
    if not least.isdigit() or not (most or least).isdigit() or "-" in count and not most:
        return None
    each = [f"{KINDS[kinds[min(i, len(kinds) - 1)]]}{side} {i}" for i in range(int(most or least))]
    *others, last = (f"{port} (may be missing)" if i >= int(least) else port for i, port in enumerate(each))
    return f"{', '.join(others)}, and {last}" if others else last


def _listed(heading: str, own: dict[str, str], made: list[str], declared: Iterable[Argument] = ()) -> str:
    """A section with the docstring's items and those `made` from declarations. Arguments are in the order of their declarations, each
    followed by the docstring's items about its parts; otherwise the docstring's items come first. Text after them comes last."""
    before, written, after = _parts(own.get(heading, f"{heading}:"))
    places = {argument.name: number for number, argument in enumerate(declared)}
    items: list[tuple[int, bool, str]] = []
    for item in [*written, *made]:
        known = [places[name] for name in re.findall(r"\w+", item.partition(":")[0]) if name in places]
        items.append((known[0] if known else items[-1][0] if items else 0, not known, item))
    listed = "\n".join(item for *_, item in sorted(items, key=lambda each: each[:2]))
    return "\n\n".join(part for part in (before, listed, after) if part) if listed or heading in own else ""


def _parts(section: str) -> tuple[str, list[str], str]:
    """A section's text before its items, with the heading; the items; and the text after them."""
    before, items, after = re.match(r"((?:(?!  - ).*\n?)*)((?:  - .*\n?(?:    .*\n?)*)*)((?:.|\n)*)", section).groups()  # type: ignore[union-attr]
    return before.strip("\n"), re.findall(r"^  - .*(?:\n    .*)*", items, re.MULTILINE), after.strip("\n")


def _arguments(found: type[Element], section: str) -> list[str]:
    """Items for the arguments that the docstring's section doesn't name."""
    named = _named(section)
    items: list[tuple[list[str], str]] = []
    for argument in in_order(found.args):
        if argument.name in named or not argument.text:
            continue
        if argument.text == SAME and items:
            items[-1][0].append(argument.name)
        else:
            items.append(([argument.name], said(argument)))
    return [_item(", ".join(names), text) for names, text in items]


def _named(section: str) -> set[str]:
    """The names of arguments in a docstring's section."""
    return set(re.findall(r"\b[A-Z][A-Z0-9_]*\b", "\n".join(re.findall(r"^  - ([^:]*):", section, re.MULTILINE))))


def said(argument: Argument) -> str:
    """The page's text about an argument, with its default."""
    text = sentence(argument.text)
    if argument.required or argument.default is None or isinstance(argument, Rest) or re.search(r"[Dd]efault", text):
        return text
    shown = argument.type.unparse(argument.default)
    return f"{text} Default {shown}." if shown else text


def sentence(text: str) -> str:
    return text if text.endswith((".", "!", ":", ".)")) and not text.endswith("...") else f"{text}."


def _handlers(found: type[Element], section: str, about_arguments: str) -> list[str]:
    """Items for the handlers that the docstring's section doesn't name. Handlers of an argument refer to it by its name."""
    mentioned = _quoted(section)
    named = _quoted("\n".join(re.findall(r"^  - ([^:]*)", section, re.MULTILINE))) if "  - " in section else mentioned
    written = _named(about_arguments)
    arguments = {argument.field: argument.name for argument in found.args if argument.text or argument.name in written}
    items: list[tuple[list[str], str, str]] = []
    for name, handler in found.handlers().items():
        if name in named or handler.private or name in mentioned and not handler.doc:
            continue
        kinds, text = _kinds(handler), sentence(" ".join(handler.doc.split())) if handler.doc else ""
        argument = arguments.get(name, "") if handler.read and handler.write and not text else ""
        if items and items[-1][1] == kinds and (argument and items[-1][2].isupper() or not text and not argument and not items[-1][2]):
            names, _, said = items.pop()
            items.append(([*names, name], kinds, f"{said}, {argument}" if argument else ""))
        else:
            items.append(([name], kinds, argument or text))
    return [_item(f"{', '.join(f'`{name}`' for name in names)} ({kinds})", sentence(text) if text else "") for names, kinds, text in items]


def _quoted(text: str) -> set[str]:
    return set(re.findall(r"[a-z_]\w*", " ".join(re.findall(r"`[^`]*`", text))))


def _kinds(handler: Handler) -> str:
    return ", ".join(kind for kind, there in (("read", handler.read), ("write", handler.write)) if there)


def _item(head: str, text: str) -> str:
    whole = f"  - {head}: {text}" if text else f"  - {head}"
    return textwrap.fill(whole, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
