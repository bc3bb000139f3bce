"""The element reference: a page for each class, from its declaration and manual page, and the index of them by family."""

import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from clickbpf.cli.elements import EXECUTORS
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.manual import page as manual_page
from clickbpf.vocabulary.manual import summary
from clickbpf.vocabulary.roles import Reconfigurable

from .links import prose
from .pages import fenced

INDEX_HEAD = """# Elements

All element classes, by family. Each page is the class's manual page, which `clickbpf doc CLASS` prints and editors show; a test compiles
every example. [Where elements run](../hooks.md) compares the classes' executors.

"""
DIFFERENCES_HEAD = """# Click's elements and these

What manual pages say of Click's classes of the same names where those do something else.
[Coming from Click](from-click.md) has the rest.

"""
#: What each executor is called.
WHERE = {"xdp": "in the kernel on XDP", "tc": "in the kernel on TC", "user": "in user space"}
PROCESSING = {"h": "push", "l": "pull", "a": "agnostic"}


def reference() -> Iterator[tuple[str, str]]:
    """Pages and their texts."""
    library = Library.standard()
    families: dict[str, list[type[Element]]] = defaultdict(list)
    for name in library.names():
        class_ = library.find(name)
        families[family_of(class_)].append(class_)
        yield f"elements/{name}.md", page(class_)
    yield "elements/index.md", INDEX_HEAD + "\n".join(family(name, families[name]) for name in sorted(families))


def differences() -> str:
    """What manual pages say of Click's classes, in one table."""
    library = Library.standard()
    rows = "".join(
        f"| [{name}](elements/{name}.md) | {escape(said).replace('|', '&#124;')} |\n"
        for name in library.names()
        if (said := " ".join(of_click(manual_page(library.find(name)))))
    )
    return f"{DIFFERENCES_HEAD}| class | |\n|---|---|\n{rows}"


def of_click(text: str) -> Iterator[str]:
    """The sentences of a manual page about Click's class of that name."""
    for sentence in re.split(r"(?<=[.)])\s+(?=[A-Z(`]|- )", text):
        if re.match(r"\(?(?:To )?Click's element\b|\(Click's", sentence):
            yield " ".join(sentence.split()).removeprefix("(").removesuffix(")")


def linked(text: str, page: str) -> str:
    """A page on which each class that is named as `code` leads to its own page; not in headings, and not in links."""
    library = Library.standard()
    up = "../" * page.count("/")

    def link(found: re.Match) -> str:
        return f"[{found[0]}]({up}elements/{library.find(found[1]).class_name()}.md)" if library.known(found[1]) else found[0]

    code = re.compile(r"(?<![\[`])`([A-Z]\w+)`(?![\]`])")
    return "\n".join(code.sub(link, line) if is_prose and line[:1] != "#" else line for _, line, is_prose in prose(text))


def family_of(class_: type[Element]) -> str:
    return Path(inspect.getfile(class_)).parent.name


def family(name: str, classes: list[type[Element]]) -> str:
    rows = "".join(f"| [{c.class_name()}]({c.class_name()}.md) | {runs(c)} | {summary(c).replace('|', '&#124;')} |\n" for c in classes)
    return f"## {name}\n\n| class | runs | summary |\n|---|---|---|\n{rows}"


def runs(class_: type[Element]) -> str:
    """Where its elements can run, in one word or two."""
    if isinstance(class_.runs, property):
        return "depends"
    return "kernel" if "tc" in class_.runs else "user" if "user" in class_.runs else ""


def page(class_: type[Element]) -> str:
    summary, _, rest = manual_page(class_).partition("\n")
    return f"# {class_.class_name()}\n\n*{summary}*\n\n{facts(class_)}\n{markdown(rest)}{handlers(class_)}"


def facts(class_: type[Element]) -> str:
    """What the declaration says that the manual page needn't."""
    home = family_of(class_)
    aliases = ", ".join(f"`{name}`" for name in class_.aliases)
    rows = [("Family", f"[{home}](index.md#{home})"), ("Runs", where(class_)), *ports(class_), ("Other names", aliases)]
    if not isinstance(class_.runs, property) and "tc" in class_.runs:
        rows.append(("Size in the kernel", f"about {class_.weight} BPF instructions, as the plan estimates it"))
    if issubclass(class_, Reconfigurable):
        rows.append(("Arguments", "can be changed while it runs, by the handler `config`"))
    if class_.annotations:
        rows.append(("Annotations", "may write " + ", ".join(f"`{name}`" for name in class_.annotations)))
    return "| | |\n|---|---|\n" + "".join(f"| {head} | {words} |\n" for head, words in rows if words)


def where(class_: type[Element]) -> str:
    if isinstance(class_.runs, property):
        return "where its arguments allow: `clickbpf plan` shows it"
    if not class_.runs:
        return "nowhere: it only gives the configuration information"
    found = ", ".join(WHERE[each] for each in EXECUTORS if each in class_.runs)
    if class_.shown is not Element.shown:
        found += "; packets stay in the kernel, and it looks at copies"
    return found


def ports(class_: type[Element]) -> Iterator[tuple[str, str]]:
    """Click's codes, spelt out as far as one letter holds for all inputs, or all outputs."""
    if isinstance(class_.ports, str):
        inputs, _, outputs = class_.ports.partition("/")
        yield "Inputs, outputs", f"{number(inputs)}, {number(outputs or inputs)}"
    if isinstance(class_.processing, str):
        kinds = [PROCESSING.get(part) for part in class_.processing.split("/")]
        if all(kinds):
            yield "Processing", kinds[0] if len(set(kinds)) == 1 else f"{kinds[0]} to {kinds[-1]}"


def number(code: str) -> str:
    least, dash, most = code.partition("-")
    if code in ("=", "-"):
        return "as many" if code == "=" else "any number"
    return f"{least} to {most}" if most else f"{least} or more" if dash else least


def handlers(class_: type[Element]) -> str:
    """The table of all handlers, those of super classes included."""
    rows = "".join(
        f"| `{name}` | {', '.join(kind for kind, there in (('read', each.read), ('write', each.write)) if there)} |\n"
        for name, each in sorted(class_.handlers().items())
    )
    return f"\n## All handlers\n\n| handler | |\n|---|---|\n{rows}" if rows else ""


def markdown(text: str) -> str:
    """The body of a manual page. Indented blocks are configurations; lists stand two columns in."""
    done: list[str] = []
    block: list[str] = []
    in_list = False
    for line in [*text.split("\n"), ""]:
        if line.startswith("    ") and not in_list or block and not line:
            block.append(line[4:])
            continue
        if block:
            done += [*fenced("\n".join(block), "click").rstrip().split("\n"), ""]
            block = []
        in_list = line.startswith("  - ") or in_list and line.startswith("    ")
        done.append(escape(line[2:]) if in_list else part(escape(line)))
    if block:
        done += fenced("\n".join(block), "click").rstrip().split("\n")
    return "\n".join(done).rstrip() + "\n"


def part(line: str) -> str:
    """A line that begins a part of a manual page is a heading, or stands out."""
    head, colon, rest = line.partition(":")
    if not colon or not re.fullmatch(r"Synopsis|[A-Z][a-z]+s|Example", head):
        return line
    return f"**{head}:**{rest}" if rest else f"## {head}"


def escape(line: str) -> str:
    """A line in which only `code` is more than text."""
    parts = line.split("`")
    if len(parts) % 2 == 0:  # a span that goes on in another line
        return line
    return "`".join(part if n % 2 else part.replace("<", "&lt;").replace("*", "\\*").replace("[", "\\[") for n, part in enumerate(parts))
