"""From a configuration string to the values of a class's declared arguments, as Click's Args does it.

An argument of the form `NAME VALUE` belongs to the declaration NAME, wherever it stands. The arguments before the first named
argument belong, in order, to the positional declarations; an argument that only looks as if it began with a name can still be the
value of a required positional argument (`Required("ROUTE", ...)` takes `default via x`). Of several values for one declaration
the last counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

from clickbpf.args.context import NOWHERE, Context
from clickbpf.args.declare import Argument, Rest, synopsis
from clickbpf.args.error import MOST_MISTAKES, ArgError
from clickbpf.args.given import Given, Run, Several, given_in, given_with_runs
from clickbpf.args.types.base import Bulk, Type, quoted
from clickbpf.args.types.text import String
from clickbpf.lang.config import pieces, split_args, split_words_at
from clickbpf.nearest import did_you_mean


@dataclass
class BoundArguments:
    """The values found in a configuration string, and all errors.

    Each error has the offset in the string that it is about, or None if it is about the element as a whole.
    """

    config: str
    cfg: SimpleNamespace = field(default_factory=SimpleNamespace)
    given: dict[str, Sequence[Given]] = field(default_factory=dict)
    errors: list[tuple[ArgError, int | None]] = field(default_factory=list)
    warnings: list[tuple[ArgError, int | None]] = field(default_factory=list)
    #: (declaration's name, value); a later value for the same name replaces an earlier one.
    replaced: list[tuple[str, Given]] = field(default_factory=list)
    #: The names of the class's arguments, and whether a comma seems to be missing between two.
    names: tuple[str, ...] = ()
    lacks_comma: bool = False

    def locate(self, error: ArgError) -> int | None:
        """The offset in the string that an error raised by `Element.configure` is about."""
        given = self.given.get(error.argument or "", ())
        return self.offset(given[error.index], error.offset) if error.index < len(given) else None

    def offset(self, given: Given, offset: int) -> int:
        """The offset in the string of a character of an argument's value."""
        return source_offset(self.config, given.offset, given.value_start + offset)


def bind(class_name: str, declared: tuple[Argument, ...], config: str, context: Context, names_anywhere: bool = False) -> BoundArguments:
    """Parse the configuration string of an element whose class declares these arguments.

    With `names_anywhere`, named arguments may come before unnamed ones.
    """
    bound = BoundArguments(config, names=tuple(argument.name for argument in declared))
    rest = next((argument for argument in declared if isinstance(argument, Rest)), None)
    in_bulk = rest is not None and isinstance(rest.type, Bulk) and not any(argument.positional for argument in declared)
    given, runs = given_with_runs(config, rest.type) if in_bulk else (given_in(config), [])
    for argument in declared:
        if argument is not rest:
            _store(bound, argument, _take(argument, given, declared, bound, names_anywhere), context)
    left = [g for g in given if not g.taken]
    if rest:
        _store_rest(bound, rest, left, runs, context)
        left = []
    missing = [argument for argument in declared if argument.name not in bound.given]
    bound.errors += _surplus(left, declared, missing, f"expected {synopsis(class_name, declared)}")
    if not bound.lacks_comma:
        bound.errors += _lacking(left, missing)
    return bound


def elided(config: str, declared: tuple[Argument, ...], names_anywhere: bool = False) -> str:
    """A configuration string as clients see it that have no right to its secrets."""
    types = {argument.name: argument.type for argument in declared}
    if all(type(type_).elided is Type.elided for type_ in types.values()):
        return config
    bound = bind("", declared, config, NOWHERE, names_anywhere)
    taken = [*bound.replaced, *((name, g) for name, given in bound.given.items() for g in given)]
    shown = {g.offset: g.text[: g.value_start] + types[name].elided(g.value) for name, g in taken}
    texts = split_args(config)
    if all(shown.get(offset, text) == text for text, offset in texts):
        return config
    return ", ".join(shown.get(offset, text) for text, offset in texts)


def _take(
    argument: Argument, given: list[Given], declared: tuple[Argument, ...], bound: BoundArguments, names_anywhere: bool
) -> Given | None:
    """The texts that were given for one argument, if any."""
    found = [g for g in given if g.name == argument.name and not g.taken]
    for g in found:
        g.taken = "name"
    if argument.positional:
        names = {other.name for other in declared} if names_anywhere else ()
        here = next((g for g in given if g.taken != "position" and g.name not in names), None)
        if here and not here.taken and (here.name is None or _must_take(argument, here, found, declared)):
            here.taken = "position"
            found.append(here)
    found.sort(key=lambda g: g.offset)
    for g in found[:-1]:
        bound.replaced.append((argument.name, g))
        message = f"{argument.name} is given again later, and the last value counts"
        bound.warnings.append((ArgError(message, "leave one of them out", in_click=""), g.offset))
    return found[-1] if found and found[-1].text else None


def _must_take(argument: Argument, here: Given, found: list[Given], declared: tuple[Argument, ...]) -> bool:
    """Whether an argument that looks named is taken as positional, because a required argument would otherwise be missing."""
    return argument.required and not found and here.name not in {other.name for other in declared}


def _store(bound: BoundArguments, argument: Argument, given: Given | None, context: Context) -> None:
    if given is None:
        setattr(bound.cfg, argument.field, argument.default)
        return
    bound.given[argument.name] = (given,)
    setattr(bound.cfg, argument.field, _parse(bound, argument, given, context))


def _store_rest(bound: BoundArguments, rest: Rest, left: list[Given], runs: list[Run], context: Context) -> None:
    for g in left:
        if rest.named and g.name == rest.name:
            g.taken = "name"
    parts = sorted((*left, *runs), key=attrgetter("offset"))
    bound.given[rest.name] = given = Several(bound.config, parts)
    mistakes, values = len(bound.errors), []
    for part in parts:
        if len(bound.errors) - mistakes == MOST_MISTAKES:
            bound.errors.append((ArgError("too many mistakes", "the arguments from here on were not read"), part.offset))
            break
        values.append(part.values if isinstance(part, Run) else (_parse(bound, rest, part, context),))
    if len(bound.errors) == mistakes:
        setattr(bound.cfg, rest.field, rest.type.collect(values) if isinstance(rest.type, Bulk) else tuple(chain(*values)))
    if len(given) < rest.least:
        hint = f"expected at least {rest.least} {rest.name}, each {rest.type.describe()}"
        bound.errors.append((ArgError("too few arguments", hint), None))


def _parse(bound: BoundArguments, argument: Argument, given: Given, context: Context) -> Any:
    try:
        return argument.type.parse(given.value, context)
    except ArgError as error:
        wanted = argument.type.describe()
        hint = _slip(bound, argument, given, error, context) or error.hint or (None if wanted in error.message else f"expected {wanted}")
        said = error.in_click and f"{argument.name}: {error.in_click}"
        bound.errors.append((ArgError(f"{argument.name}: {error.message}", hint, in_click=said), bound.offset(given, error.offset)))
        return None


def _slip(bound: BoundArguments, argument: Argument, given: Given, error: ArgError, context: Context) -> str | None:
    """The hint at a slip between arguments: one too many between a name and its value, or a comma that is missing."""
    name, equals, value = given.value.partition("=")
    if name.rstrip() in bound.names:
        return f"only a space stands between a name and its value: '{name.rstrip()} {value.lstrip() if equals else 'VALUE'}'"
    return _comma(bound, argument, given, error, context)


def _comma(bound: BoundArguments, argument: Argument, given: Given, error: ArgError, context: Context) -> str | None:
    """The hint that one is missing, where the words before the name of an argument would do, or else the first word, unless the second
    seems to be its unit."""
    words = split_words_at(given.value)
    unit = len(words) > 1 and words[0][0][:1].isdigit() and words[1][0][:1].isalpha()
    ends = [at for word, at in words[1:] if word in bound.names] or [at for _, at in words[1:2] if not error.hint and not unit]
    first = given.value[: ends[0]].rstrip() if ends else ""
    try:
        argument.type.parse(first, context)
    except ArgError:
        return None
    bound.lacks_comma = bool(first)
    return f"is a comma missing after {quoted(first)}?" if first else None


def _surplus(left: list[Given], declared: tuple[Argument, ...], missing: list[Argument], form: str):
    """Errors for arguments that don't belong to any declaration."""
    names = [argument.name for argument in declared]
    misplaced = next((argument for argument in missing if argument.positional), None)
    text = misplaced is not None and isinstance(misplaced.type, String)
    for g in left:
        if g.name is not None:
            words = text and not g.name.isupper()
            hint = _several_words(misplaced, g, names) if words else did_you_mean(g.name, names) or form
            yield ArgError(f"{g.name}: unknown argument", hint), g.offset
            if words:
                return
    unnamed = _unnamed(left)
    if unnamed and misplaced:
        hint = f"put it first, or write {misplaced.name} {unnamed.text}"
        yield ArgError("an argument without a name after one that has a name", hint), unnamed.offset
    elif unnamed:
        yield ArgError("too many arguments", form), unnamed.offset


def _several_words(argument: Argument, given: Given, names: list[str]) -> str:
    """The hint at a text without quotes, of which the first word was taken for a name."""
    comma = not {*given.value.split()}.isdisjoint(names)
    return f"is a comma missing after {quoted(given.name)}?" if comma else f"put {argument.name} in double quotes if it has several words"


def _lacking(left: list[Given], missing: list[Argument]):
    """Errors for required arguments that are missing, except one that was found in the wrong place."""
    if _unnamed(left):
        missing = [argument for argument in missing if not argument.positional]
    for argument in missing:
        if argument.required:
            form = "expected {}, {}" if argument.positional else "write '{} VALUE', with {}"
            hint = form.format(argument.name, argument.type.describe())
            said = f"{argument.name}: required argument missing"
            yield ArgError(f"required argument {argument.name} is missing", hint, in_click=said), None


def _unnamed(left: list[Given]) -> Given | None:
    return next((g for g in left if g.name is None), None)


def source_offset(config: str, start: int, offset: int) -> int:
    """The offset in a configuration string of character `offset` of the argument that begins at `start`.

    In the argument each stretch of comments, with the space around it, is one space.
    """
    length = gap = 0
    commented = False
    for piece in pieces(config, start):
        if piece.lastgroup == "comma":
            return piece.start()
        if piece.lastgroup == "space":
            gap += len(piece[0])
        elif piece.lastgroup == "comment":
            commented = True
        else:
            length += 1 if commented else gap
            if offset < length + len(piece[0]):
                return piece.start() + max(offset - length, 0)
            length, gap, commented = length + len(piece[0]), 0, False
    return len(config)
