"""The pages that follow from classes and from the command line have what these declare, in Markdown that means what was written."""

import inspect

import pytest
from tools.manual import commands
from tools.manual.elements import markdown, number, page

from clickbpf.cli.parser import COMMANDS
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.manual import summary

LIBRARY = Library.standard()


def test_a_manual_page_becomes_markdown():
    text = """
Does <this> to A * B, see `x <y>`.

Arguments:

  - FIRST: a word
    or two.
  - SECOND[i]: another.

Ports: one input.

Example: two elements:

    Idle
        -> Discard;

    Idle -> Discard;
"""
    assert markdown(text) == r"""
Does &lt;this> to A \* B, see `x <y>`.

## Arguments

- FIRST: a word
  or two.
- SECOND\[i]: another.

**Ports:** one input.

**Example:** two elements:

```click
Idle
    -> Discard;

Idle -> Discard;
```
"""


@pytest.mark.parametrize(
    "code, words",
    [("1", "1"), ("0", "0"), ("1-2", "1 to 2"), ("2-", "2 or more"), ("-", "any number"), ("=", "as many")],
)
def test_codes_of_ports_are_spelt_out(code, words):
    assert number(code) == words


def test_a_page_has_all_that_its_class_declares():
    missing = {name: [text for text in declared(LIBRARY.find(name)) if text not in page(LIBRARY.find(name))] for name in LIBRARY.names()}
    assert {name: texts for name, texts in missing.items() if texts} == {}


def declared(class_: type[Element]) -> list[str]:
    """What the page of a class has to contain."""
    family = inspect.getfile(class_).split("/")[-2]
    aliases = [f"`{alias}`" for alias in class_.aliases]
    handlers = [f"| `{handler}` | " for handler in class_.handlers()]
    return [f"# {class_.class_name()}\n\n*{summary(class_)}", f"](index.md#{family}) |", *aliases, *handlers]


def test_every_command_has_its_section_without_options_that_help_hides():
    text = commands.page()
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == list(COMMANDS)
    assert "SUPPRESS" not in text and "--no-affinity" not in text and "`--affinity N`" in text
