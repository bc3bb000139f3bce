"""Find the packets that two configurations treat differently, by proof."""

import argparse

from clickbpf.cli.flags import add_json
from clickbpf.cli.options import add_input, add_plan, check_router, plan_options, words
from clickbpf.cli.output import print_json
from clickbpf.cli.verify import PROVED, REFUTED, UNDECIDED, plain_example, print_bounds, print_example
from clickbpf.compile import Compilation
from clickbpf.errors import ClickError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, "NEW VAR=VALUE")
    add_plan(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from clickbpf.prove.answers import Router, Verdict
    from clickbpf.prove.differences import compare
    from clickbpf.prove.explore import Explorer

    given = words(options)
    if len(given.names) != 1:
        raise ClickError("two configurations are compared", hint="clickbpf diff OLD NEW")
    values = [f"{name}={value}" for name, value in given.assignments.items()]
    new = argparse.Namespace(**{**vars(options), "file": None, "expression": None, "words": [given.names[0], *values]})
    routers = []
    for each in (options, new):
        each.words = each.words if each is new else [word for word in each.words if word != given.names[0]]
        checked = check_router(each)
        routers.append(Router(Explorer(Compilation(checked, plan_options(each, checked)))))
    found = compare(*routers)
    if options.json:
        print_json(
            {
                "answer": found.verdict.value,
                "open": found.open,
                "differences": [
                    {"treatment": each.treatment, "old": plain_example(each.old), "new": plain_example(each.new)}
                    for each in found.differences
                ],
            }
        )
    else:
        said = {Verdict.PROVED: "no packet is treated differently", Verdict.REFUTED: "packets are treated differently"}
        print(said.get(found.verdict, "undecided"))
        for each in found.differences:
            print(f"packets that were {each.treatment}:")
            print_example(each.old, "before, a packet")
            print_example(each.new, "now, it")
        for line in found.open:
            print(f"open: {line}")
        print_bounds(routers)
    return {Verdict.PROVED: PROVED, Verdict.REFUTED: REFUTED}.get(found.verdict, UNDECIDED)
