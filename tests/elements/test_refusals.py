"""What every class refuses because its arguments are declared so, with the place, what is wrong and what would be right.

What types read is tested in tests/args, and what one class demands beyond its declaration in that class's file.
"""

import pytest

from clickbpf import args
from clickbpf.args.declare import Rest, synopsis
from clickbpf.args.types.number import Named
from clickbpf.compile import check_text
from clickbpf.errors import ClickError, Diagnostic
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
#: The names of classes by the folder that they are in: a test for each class took four times as long.
FAMILIES: dict[str, list[str]] = {}
for each in LIBRARY.names():
    FAMILIES.setdefault(LIBRARY.find(each).__module__.split(".")[-2], []).append(each)
#: Texts that a type doesn't take, in any declaration. Types that aren't here take any text, or belong to a family, whose tests
#: have what they refuse.
WRONG = {
    args.Anno: ["48", "-1", "NO_ANNOTATION"],
    args.Bandwidth: ["-1", "fast"],
    args.Bool: ["7", "maybe"],
    args.Decimal: ["much"],
    args.Enum: ["NO_KEYWORD"],
    args.EtherAddress: ["5", "1:2:3:4:5", "1:2:3:4:5:100"],
    args.HandlerCall: ["nowhere.run"],
    args.IP6Address: ["1.2.3.4", "::1::"],
    args.IP6Prefix: ["1.2.3.4", "fe80::/129"],
    args.IPAddress: ["1.2.3", "256.0.0.1", "::1"],
    args.IPPrefix: ["1.2.3", "1.2.3.4/33"],
    args.OwnEtherAddress: ["1:2:3:4:5", "33:33:00:00:00:01", "00:00:00:00:00:00"],
    args.Real: ["much", "99999999999"],
    args.Seconds: ["soon", "1x"],
    args.Time: ["soon", "1x"],
}


def wrong_texts(type_: args.Type) -> list[str]:
    if isinstance(type_, args.ListOf):
        return wrong_texts(type_.of)
    if isinstance(type_, args.OneOf):
        return ["no/such/thing"] if all(wrong_texts(one) for one in type_.types) else []
    if isinstance(type_, args.Integer):
        low, high = type_.bounds
        return [str(low - 1), str(high + 1), "no-such-name" if isinstance(type_, Named) else "many"]
    if isinstance(type_, args.ElementRef):
        return ["nowhere", "other"] if type_.of else ["nowhere"]
    return WRONG.get(type(type_), [])


def refused(*lines: str) -> list[list[Diagnostic]]:
    """The errors about the elements of each line."""
    with pytest.raises(ClickError) as error:
        check_text("\n".join([*lines, "other :: Error;"]), LIBRARY)
    return [[d for d in error.value.diagnostics if d.place.line == number] for number in range(1, len(lines) + 1)]


@pytest.mark.parametrize("family", FAMILIES)
def test_texts_that_are_not_of_an_arguments_type(family: str) -> None:
    declared = [(name, argument) for name in FAMILIES[family] for argument in LIBRARY.find(name).args]
    given = [(name, argument, text) for name, argument in declared for text in wrong_texts(argument.type)]
    lines = [f"{name}({text if isinstance(argument, Rest) else f'{argument.name} {text}'});" for name, argument, text in given]
    for (name, argument, text), line, said in zip(given, lines, refused(*lines)):
        (about,) = (d for d in said if d.message.startswith(f"{name}: {argument.name}: "))
        begin = line.rindex(text) + 1
        assert begin <= about.place.column < begin + len(text), line
        assert about.hint or argument.type.describe() in about.message, f"what would be right: {line}"


@pytest.mark.parametrize("family", FAMILIES)
def test_missing_and_surplus_arguments(family: str) -> None:
    for name in FAMILIES[family]:
        declared = LIBRARY.find(name).args
        line = f"{name}({'x, ' * sum(argument.positional for argument in declared)}x, NOSUCH 1);"
        none, many = refused(f"{name};", line)
        missing = {d.message for d in none if d.place.column == 1}
        for argument in declared:
            assert (f"{name}: required argument {argument.name} is missing" in missing) == argument.required
        if any(isinstance(argument, Rest) for argument in declared):
            assert f"{name}: too few arguments" in missing or not any(getattr(argument, "least", 0) for argument in declared), name
            continue
        for message, text in (("too many arguments", "x, NOSUCH"), ("NOSUCH: unknown argument", "NOSUCH")):
            (about,) = (d for d in many if d.message == f"{name}: {message}")
            assert (about.place.column, about.hint) == (line.index(text) + 1, f"expected {synopsis(name, declared)}")


@pytest.mark.parametrize("name", ["AggregatePacketCounter", "IPRateMonitor(PACKETS, 1, 256)"])
def test_two_outputs_of_one_input_are_not_refused(name):
    """As in Click, whose elements for two directions need not be used for both."""
    check_text(f"Idle -> MarkIPHeader -> x :: {name} -> Discard; x[1] -> Discard;", LIBRARY)
