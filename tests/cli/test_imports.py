"""What commands import: those that ask a running router are run by the thousand, and import nothing that reads configurations; those
that only read configurations import nothing that compiles them."""

import subprocess
import sys
from pathlib import Path

import pytest

from clickbpf.errors import ClickError
from clickbpf.lang import grammar
from clickbpf.load.kernel import rtnetlink

#: What takes longer to import than all else that such a command does.
SLOW = ("clickbpf.lang", "clickbpf.compile", "lark", "pyroute2", "elftools")
#: The same of a command that checks a configuration without asking for addresses of devices.
COMPILING = (
    *("clickbpf.emit", "clickbpf.build", "clickbpf.objects.manifest", "clickbpf.runtime", "clickbpf.load"),
    *("lark", "pyroute2", "elftools"),
)
#: And of one that runs a router without devices.
LOADING = ("clickbpf.emit.bpf", "clickbpf.build.bpf", "clickbpf.load", "lark", "pyroute2", "elftools", "importlib.metadata")
IPROUTER = str(Path(__file__).parents[2] / "configs" / "iprouter.click")
PROGRAM = """
import sys
from clickbpf.cli.main import main

try:
    status = main(sys.argv[1:])
except SystemExit as ended:
    status = ended.code
print(status, *(name for name in %r if name in sys.modules))
"""


@pytest.fixture(autouse=True)
def kept_tables():
    """The first command of all makes the parser's tables, by Lark; the others find them in the cache."""
    grammar.tables()


@pytest.mark.parametrize(
    "arguments",
    ["read -r none-such c.count", "write -r none-such c.reset", "list --json", "log none-such"],
)
def test_commands_that_ask_a_router(arguments):
    assert imports(SLOW, *arguments.split()) == ["0" if "list" in arguments else "1"]


@pytest.mark.parametrize("command", ["check", "flatten", "plan"])
def test_commands_that_read_a_configuration(command):
    assert imports(COMPILING, command, IPROUTER) == ["0"]


def test_running_a_router_without_devices():
    assert imports(LOADING, "run", "-q", "-e", "Idle -> Discard") == ["0"]


def test_unloading_a_router():
    """It knows devices and pins, no configurations."""
    assert imports(("clickbpf.graph", "clickbpf.plan", "lark", "elftools"), "unload", "none-such") == ["1"]


def test_without_pyroute2(monkeypatch):
    """What is missing, and how it is installed."""
    monkeypatch.setitem(sys.modules, "pyroute2", None)
    with pytest.raises(ClickError, match="the Python package pyroute2 is missing") as error:
        rtnetlink.IPRoute  # noqa: B018
    assert error.value.diagnostics[0].hint == "pip install pyroute2"


def imports(slow: tuple[str, ...], *arguments: str) -> list[str]:
    """The exit status of a command, and which of the modules it has imported."""
    done = subprocess.run([sys.executable, "-c", PROGRAM % (slow,), *arguments], capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr
    return done.stdout.splitlines()[-1].split()
