"""The tickets of elements' tasks, which are shares of the scheduler's time, from ScheduleInfo elements.

A ScheduleInfo defines parameters for names in its own compound, of elements or of other compounds. The tickets of `a/b/x` are the product
of its own parameter and those of the compounds `a/b/` and `a/`.
"""

from clickbpf.args import Real
from clickbpf.args.names import Names, scopes

#: The number of tickets for a parameter of 1; parameters have ten bits of fraction.
TICKETS = Real(10)
DEFAULT, MOST = 1 << 10, 1 << 15


def parameter(scope: str) -> str:
    """The kind under which the parameters of a compound's ScheduleInfo ("c/", "" for the file's) are defined, as global names."""
    return f"schedule/{scope}"


def tickets(names: Names, element: str) -> int:
    """The tickets of an element's task, from 0 to MOST."""
    product = DEFAULT
    for given in _parameters(names, element):
        product = product * given >> 10
    return min(product, MOST)


def _parameters(names: Names, element: str) -> list[int]:
    """The parameters of the compounds around an element, outermost first, and its own.

    If a compound has several ScheduleInfos for an element, the most specific one counts. It replaces those of inner compounds for the same
    name, and for the compounds around it.
    """
    parts = [*(scope.rstrip("/") for scope in reversed([*scopes(element)]) if scope), element]
    found = [DEFAULT] * len(parts)
    for scope in scopes(element):
        inside = [index for index, part in enumerate(parts) if part.startswith(scope)]
        given = {index: names.query(parameter(scope), "", parts[index].removeprefix(scope)) for index in inside}
        deepest = max((index for index, value in given.items() if value is not None), default=None)
        if deepest is not None:
            found[inside[0] : deepest + 1] = [*[DEFAULT] * (deepest - inside[0]), given[deepest]]
    return found
