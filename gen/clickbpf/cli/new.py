"""Start a project: a folder with a router, its tests, a README and a Makefile."""

import argparse
import shlex

from clickbpf.cli.output import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the folder to create; it must not exist")


def run(options: argparse.Namespace) -> None:
    from clickbpf.tryout.start import start_project

    folder = start_project(options.name)
    say(f"{folder} is ready; its README.md says what to do next:  cd {shlex.quote(str(folder))} && make try")
