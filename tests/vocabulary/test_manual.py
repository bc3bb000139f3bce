"""The page that is made from a class's docstring and its declarations."""

import pytest

from clickbpf.declare import (
    SAME,
    Bool,
    Element,
    Integer,
    IPAddress,
    Keyword,
    Optional,
    PerThread,
    Raw,
    Required,
    Rest,
    field_handlers,
    read_handler,
    sum_handler,
    u64,
    write_handler,
)
from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.manual import manual, page, ports, synopsis


class Whole(Element):
    """does something

    What it does.

    Arguments:

      - WORD: a part of the first argument.
      - HOST_RATE (or RATE): two names.

    Ports: one input; another output.

    Handlers:

      - `both`, `more` (read): as written; `more` is a name.

    Example: a router:

        Idle -> Whole(1.0.0.1, 1.0.0.2) -> Discard;
    """

    aliases = ("All",)
    args = (
        Keyword("SIZE", Integer(), 5, "bytes"),
        Required("SRC", IPAddress(), "the ends"),
        Required("DST", IPAddress(), SAME),
        Keyword("HOST_RATE", Integer(), 1, setting="vars"),
        Keyword("RATE", Integer(), 2),
        Keyword("ACTIVE", Bool(), True, "false to pass on all packets. By default it is active", setting="vars"),
        Optional("OLD", Integer(), 3),
    )
    state_types = {"counters": PerThread(drops=u64, others=u64)}

    drops = sum_handler("counters", text="packets that were\n dropped")
    others = sum_handler("counters")
    size = field_handlers("vars", Integer())

    @read_handler
    def both(self) -> str:
        """not said."""
        return ""

    @read_handler("more")
    def read_more(self) -> str:
        return ""

    @write_handler
    def reset(self, text: str) -> None:
        """begins anew (at once)"""


PAGE = """Whole – does something

Synopsis: `Whole(SRC, DST, [SIZE ..., HOST_RATE ..., RATE ..., ACTIVE ...])`

What it does.

Arguments:

  - SRC, DST: the ends.
  - WORD: a part of the first argument.
  - SIZE: bytes. Default 5.
  - HOST_RATE (or RATE): two names.
  - ACTIVE: false to pass on all packets. By default it is active.

Ports: one input; another output.

Handlers:

  - `both`, `more` (read): as written; `more` is a name.
  - `drops` (read): packets that were dropped.
  - `others` (read)
  - `size` (read, write): SIZE.
  - `reset` (write): begins anew (at once).
  - `host_rate`, `active` (read, write): HOST_RATE, ACTIVE.

Example: a router:

    Idle -> Whole(1.0.0.1, 1.0.0.2) -> Discard;

Other names: All"""


def test_a_page_has_what_is_written_and_what_is_declared_each_once():
    assert manual(Whole) == PAGE


@pytest.mark.parametrize(
    "args, expected",
    [
        ((), "X"),
        ((Rest("PATTERN", Raw(), "a pattern"),), "X([PATTERN, ...])"),
        ((Rest("IGNORED", Raw()),), "X"),
        ((Keyword("A", Raw(), text="a"), Optional("B", Raw(), text="b")), "X([B, A ...])"),
        (tuple(Keyword(f"K{n}", Raw(), text="k") for n in range(9)), "X([KEYWORD ...])"),
    ],
)
def test_the_form_of_a_configuration(args, expected):
    assert synopsis(type("X", (Element,), {"args": args})) == expected


@pytest.mark.parametrize(
    "numbers, processing, expected",
    [
        ("1/1", "a/a", "one input, one output"),
        ("1/1-2", "a/ah", "one input; output 0, and push output 1 (may be missing)"),
        ("2/2-3", "h/h", "two push inputs; push output 0, push output 1, and push output 2 (may be missing)"),
        ("0-1/1", "h/l", "one push input (may be missing), one pull output"),
        ("2-/=", "h/h", "two or more push inputs, as many push outputs"),
        ("0/-", "h", "any number of push outputs"),
        ("0/0", "a", "none"),
    ],
)
def test_ports_in_words(numbers, processing, expected):
    assert ports(type("X", (Element,), {"ports": numbers, "processing": processing})) == f"Ports: {expected}."


def test_ports_that_no_words_are_known_for_are_not_described():
    assert ports(type("X", (Element,), {"ports": "-/=+", "processing": "h/h"})) == ""


def test_an_example_may_follow_its_heading():
    documented = type("X", (Element,), {"__doc__": "does\n\n    Example: Idle -> X -> Discard;\n"})
    assert page(documented).endswith("\n\nExample:\n\n    Idle -> X -> Discard;")


OLD_FORM = """from clickbpf.declare import Element, Integer, Required


class Old(Element):
    '''is written in the old form

    Arguments:

      - LENGTH: how long.
    '''

    args = (Required("LENGTH", Integer()),)
"""


@pytest.mark.parametrize(
    "text, line, message, hint",
    [
        (
            OLD_FORM,
            4,
            "TypeError: Old says under 'Arguments:' what LENGTH is; write that into the argument's declaration: "
            'Required("LENGTH", ..., "how long")',
            None,
        ),
        (
            "from clickbpf.vocabulary.element import read_handler\n",
            1,
            "ImportError: cannot import name 'read_handler' from 'clickbpf.vocabulary.element'",
            "import everything that classes are declared with from clickbpf.declare",
        ),
        (
            "from clickbpf.declare import RECONFIGURABLE\n",
            1,
            "ImportError: there is no trait RECONFIGURABLE: derive the class from Reconfigurable",
            None,
        ),
        (
            "from clickbpf.declare import Element\n\n\nclass Old(Element):\n    keeps_header = True\n",
            4,
            "TypeError: Old.keeps_header is a trait; write class Old(Element, traits=KEEPS_HEADER)",
            None,
        ),
        (
            "from clickbpf.declare import Element\n\n\nclass Old(Element, weight=3):\n    pass\n",
            4,
            "TypeError: the head of Old has weight; it may have ports, processing, flow, runs, traits",
            None,
        ),
    ],
)
def test_a_file_in_the_old_form_is_told_what_to_write(tmp_path, text, line, message, hint):
    (tmp_path / "old.py").write_text(text)
    with pytest.raises(ClickError) as error:
        Library([tmp_path]).find("Old")
    (found,) = error.value.diagnostics
    assert (found.place.line, found.hint) == (line, hint)
    assert found.message.startswith(f"can't import this file: {message}")
