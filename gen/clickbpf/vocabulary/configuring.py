"""Helpers for classes' configure(): one argument for each port, an argument with several texts, the class's name as written."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from clickbpf.args.error import ArgError
from clickbpf.vocabulary.element import Element

T = TypeVar("T")


def expect_one_per_port(element: Element, side: str, given: Sequence) -> None:
    """Report a mistake unless there are as many arguments as ports on a side, "input" or "output"."""
    ports = element.ninputs if side == "input" else element.noutputs
    in_click = f"need {ports} arguments, one per {side} port"
    if len(given) > ports:
        reason = f"each of the {len(given)} arguments has an {side} port"
        element.miscounted = unconnected(element, side, len(given), reason, in_click)
    elif len(given) < ports:
        element.miscounted = ArgError(in_click, f"there are {len(given)}, and {side} {ports - 1} is connected")


def unconnected(element: Element, side: str, wanted: int, reason: str, in_click: str) -> ArgError:
    """The mistake that fewer ports of a side are connected than the `wanted` number, which the arguments require."""
    ports = element.ninputs if side == "input" else element.noutputs
    missing, them = (f"{side}s {ports} to {wanted - 1} are", "them") if wanted > ports + 1 else (f"{side} {ports} is", "it")
    cures = {
        "input": f"connect Idle to {them} if no packets arrive there",
        "output": f"connect {them} to Discard if packets are unwanted there",
    }
    return ArgError(f"{missing} not connected: {reason}", cures[side], in_click=in_click)


def read_each(argument: str, texts: Iterable[str], read: Callable[[str, int], T], said: str = "{}") -> list[T]:
    """The results of `read(text, index)` for each text of an argument that may be given several times. All ArgErrors are raised together,
    each at its text's place, with its message in the sentence `said`, which may also contain the `index`.
    """
    found, wrong = [], []
    for index, text in enumerate(texts):
        try:
            found.append(read(text, index))
        except ArgError as error:
            message = said.format(error.message, index=index)
            wrong.append(ArgError(message, error.hint, argument=argument, index=index, offset=error.offset))
    if wrong:
        raise ExceptionGroup(argument, wrong)
    return found


def declared_class(element: Element) -> str:
    """The name of an element's class in the configuration: its own, or one of its `aliases`."""
    router = element.context.router
    return router.element(element.name).class_name if router else element.class_name()
