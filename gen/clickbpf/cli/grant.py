"""Let a user other than root load routers: create the folder and the BPF file system that this takes."""

import argparse
import os
import pwd

from clickbpf.cli.output import say
from clickbpf.errors import ClickError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("user", help="the user's name or number; docs/security.md lists the capabilities that the user also needs")
    parser.add_argument("--revoke", action="store_true", help="remove them again")
    parser.add_argument("--force", action="store_true", help="with --revoke: end the user's routers first, instead of refusing")


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.files import grants

    if os.geteuid():
        raise ClickError("only root can let others load routers", hint="run it as root")
    uid, gid = _ids(options.user)
    if uid == 0:
        raise ClickError("root needs nothing to load routers")
    if options.force and not options.revoke:
        raise ClickError("--force needs --revoke", hint="leave it out")
    if options.revoke:
        grants.revoke(uid, options.force)
        say(f"{options.user} can no longer load routers")
        return
    grants.grant(uid, gid)
    say(f"{options.user} can load routers, with the capabilities that 'clickbpf doctor' names")


def _ids(user: str) -> tuple[int, int]:
    """The uid and gid of a user; of a number without an account, that number twice."""
    try:
        found = pwd.getpwuid(int(user)) if user.isdecimal() else pwd.getpwnam(user)
    except (KeyError, OverflowError):
        if user.isdecimal() and int(user) < 1 << 31:
            return int(user), int(user)
        raise ClickError(f"there is no user {user}") from None
    return found.pw_uid, found.pw_gid
