"""Examples of element classes, taken from their manual pages: configurations that have to work."""

import textwrap
from itertools import groupby

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.manual import page

#: Classes whose effect differs from one run to the next.
INDEFINITE = {
    "CPUSwitch": "CPUs choose in the kernel, threads in the runtime",
    "CounterFile": "it counts on from what an earlier run has left in its file",
    "RandomBitErrors": "random",
    "RandomSample": "random",
    "RandomSwitch": "random",
    "RandomUDPIPEncap": "random",
    "SetRandIPAddress": "random",
    "TCPReflector": "its sequence numbers are random",
    "Unstrip": "the bytes before a packet are whatever was there",
}


@frozen
class Example:
    """A configuration in a class's manual page, and the first element of the class in it, with its numbers of ports."""

    configuration: str
    element: str
    ninputs: int
    noutputs: int


def blocks(class_: type[Element]) -> list[str]:
    """The indented blocks of a manual page."""
    lines = page(class_).splitlines()
    parts = groupby(lines, lambda line: line.startswith("    ") or not line.strip())
    indented = ("\n".join(part) for is_indented, part in parts if is_indented)
    return [textwrap.dedent(text).strip() for text in indented if text.strip()]


def examples(class_: type[Element], library: Library) -> list[Example]:
    """The examples in the blocks that are configurations with an element of the class."""
    found = []
    for text in blocks(class_):
        try:
            checked = check_text(text, library)
        except ClickError:
            continue
        for declaration in checked.router.elements:
            if type(checked.instances[declaration.name]) is class_:
                element = checked.instances[declaration.name]
                config = f"{declaration.class_name}({declaration.config})"
                found.append(Example(text, config, element.ninputs, element.noutputs))
                break
    return found
