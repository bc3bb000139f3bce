"""Report what prevents routers from being loaded on this machine, or makes them slow, and how to change it."""

import argparse
from dataclasses import asdict

from clickbpf.cli.flags import add_json
from clickbpf.cli.output import print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("devices", metavar="DEVICE", nargs="*", help="network devices to examine (default: all that are up)")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """The exit status: 1 if there is a problem."""
    from clickbpf.doctor import examine
    from clickbpf.doctor.finding import PROBLEM

    found = list(examine(options.devices))
    if options.json:
        print_json([asdict(finding) for finding in found])
    else:
        _print(found)
    return int(any(finding.level == PROBLEM for finding in found))


def _print(found) -> None:
    """A paragraph for each subject, a line for each finding, its cure on the line after it."""
    subject = None
    for finding in found:
        if finding.subject != subject:
            print(finding.subject)
        subject = finding.subject
        print(f"  {finding.level:8}{finding.what}")
        if finding.cure:
            print(f"  {'':8}    {finding.cure}")
