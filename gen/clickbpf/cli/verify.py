"""Prove what a router does to all packets: answer questions, each with a proof or a packet that refutes it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from clickbpf.cli.flags import add_json
from clickbpf.cli.options import add_input, add_plan, compilation, config_file, library, read_router, words
from clickbpf.cli.output import print_json, read_text
from clickbpf.errors import ClickError
from clickbpf.graph.check import check
from clickbpf.objects.hooks import TC
from clickbpf.passes.combine import LINK, cables, components, uncombine

if TYPE_CHECKING:
    from clickbpf.prove.answers import Answer, Router
    from clickbpf.prove.replay import Example

#: The exit status, that of the worst answer.
PROVED, REFUTED, UNDECIDED = 0, 3, 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, "[RULES] VAR=VALUE")
    add_plan(parser)
    add_json(parser)
    asked = "a question, instead of RULES (may be repeated)"
    parser.add_argument("-q", "--question", metavar="TEXT", action="append", default=[], help=asked)
    parser.add_argument("--pcap", metavar="FILE", help="write the packets that refute a claim to FILE, as they arrive")


def run(options: argparse.Namespace) -> int:
    from clickbpf.prove import questions
    from clickbpf.prove.answers import Verdict

    given = words(options)
    if len(given.names) > 1 or (given.names and options.question):
        raise ClickError(f"'{given.names[-1]}' is one word too many", hint="after the configuration comes one file of rules, or -q")
    rules = Path(given.names[0]) if given.names else questions.SHIPPED
    asked = questions.read("\n".join(options.question), "-q") if options.question else questions.read(read_text(str(rules)), str(rules))
    router = _subject(options)
    answers = [router.answer(question) for question in asked]
    if options.json:
        print_json([_plain(answer) for answer in answers])
    else:
        for answer in answers:
            _print_answer(answer)
        print_bounds([router])
    if options.pcap is not None:
        _write_pcap(options.pcap, [answer.example.packet for answer in answers if answer.example is not None])
    verdicts = {answer.verdict for answer in answers}
    return REFUTED if Verdict.REFUTED in verdicts else UNDECIDED if Verdict.UNDECIDED in verdicts else PROVED


def _subject(options: argparse.Namespace) -> Router:
    """The router, or the network of routers that cables connect."""
    from clickbpf.prove.answers import Router
    from clickbpf.prove.explore import Explorer
    from clickbpf.prove.network import Network

    if LINK not in _written(options):
        return Router(Explorer(compilation(options)))
    if options.hook == TC:
        raise ClickError("of networks nothing can be proved on TC", hint="leave out --hook tc")
    whole, explorers = read_router(options), {}
    for name in components(whole):
        checked = check(uncombine(whole, components(whole), name), library(options))
        explorers[name] = Explorer(compilation(options, checked), name=name)
    return Network(explorers, cables(whole, components(whole)))


def _written(options: argparse.Namespace) -> str:
    """The configuration's text, unless it comes from standard input."""
    path = config_file(options)
    return options.expression or ("" if path in (None, "-") or not Path(path).is_file() else Path(path).read_text(errors="replace"))


def print_bounds(routers: list[Router]) -> None:
    """Print what the answers cover."""
    from clickbpf.prove.explore import LONGEST, SHORTEST

    own = sorted({element for router in routers for element in router.answered})
    answered = f", nor are the router's own packets of {', '.join(own)}" if own else ""
    if routers[0].explorer.tables:
        tables, settings = "as they are now", "as they are where the router runs"
    else:
        tables, settings = "with any contents", "as configured"
    print(f"\nfor frames of {SHORTEST} to {LONGEST} bytes without extension headers of IPv6, tables {tables},")
    print(f"settings {settings}; in the kernel: packets that are handed over aren't followed{answered}")


def _print_answer(answer: Answer) -> None:
    print(f"{answer.verdict.value:10} {answer.question.text}")
    for line in answer.open:
        print(f"           open: {line}")
    if answer.example is not None:
        print_example(answer.example)


def print_example(example: Example, title: str = "a packet") -> None:
    """Print a packet, and what the router made of it, field by field."""
    from scapy.layers.l2 import Ether

    from clickbpf.testing.diff import difference, dissect

    where = f" on {', '.join(example.devices)}" if example.devices else ""
    where += f" by way of {', '.join(example.way)}" if example.way else ""
    print(f"           {title} of {len(example.packet)} bytes from {example.device} is {example.fate.value}{where}:")
    print(f"           {example.packet[:64].hex()}")
    print(f"           {dissect(Ether, example.packet).summary()}")
    changed = difference(example.packet, example.after, titles=("arrives", "leaves")) if example.after else None
    for line in (line for line in (changed or "").splitlines() if line.endswith("<-")):
        print(f"           {line}")
    for element, reason in example.reasons:
        print(f"           {reason} at {element}")


def _plain(answer: Answer) -> dict:
    found = {"question": answer.question.text, "answer": answer.verdict.value, "open": answer.open}
    return found if answer.example is None else {**found, "example": plain_example(answer.example)}


def plain_example(example: Example) -> dict:
    return {
        "device": example.device,
        "packet": example.packet.hex(),
        "fate": example.fate.value,
        "devices": list(example.devices),
        "way": list(example.way),
        "leaves": example.after.hex(),
        "drops": [{"element": element, "reason": reason} for element, reason in example.reasons],
    }


def _write_pcap(path: str, packets: list[bytes]) -> None:
    """Write Ethernet frames to a file that only its owner can read."""
    from scapy.layers.l2 import Ether
    from scapy.utils import wrpcap

    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            wrpcap(file, [Ether(packet) for packet in packets], linktype=1)
    except OSError as error:
        raise ClickError(f"{path}: {error.strerror}") from None
