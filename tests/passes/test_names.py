"""Nothing but an element's own files names its class: stages and passes ask what classes declare."""

import ast
from pathlib import Path

import clickbpf
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
PACKAGE = Path(clickbpf.__file__).parent
NAMES = {name for class_ in map(LIBRARY.find, LIBRARY.names()) for name in (class_.class_name(), *class_.aliases)}

#: Names that the language, or one of Click's tools, gives a meaning.
EXCEPTIONS = {
    "cli/run.py": {"ControlSocket"},  # the driver's options -p and -u put one in
    "graph/processing.py": {"Queue", "Unqueue"},  # advice: what to put between push and pull
    "graph/unused.py": {"Discard", "Idle"},  # advice: what to connect an unused port to
    "passes/align.py": {"Align", "AlignmentInfo"},  # click-align puts them in
    "passes/classifiers.py": {"Discard"},  # put in, for what no pattern matches
    "passes/combine.py": {"FromDevice", "PollDevice", "ToDevice"},  # click-combine's cables, on configurations of any classes
    "passes/idle.py": {"Idle"},  # put in, at ports that lost their connections
}  # fmt: skip
#: The test harness writes configurations.
FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if path.relative_to(PACKAGE).parts[0] != "testing"]


def named(text: str) -> set[str]:
    """The classes that a file names: by constants that are their names. Messages may mention a class."""
    return {node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant) and isinstance(node.value, str)} & NAMES


def test_no_file_names_a_class():
    found = {str(path.relative_to(PACKAGE)): named(path.read_text()) for path in FILES}
    assert {file: names for file, names in found.items() if names} == EXCEPTIONS


def test_names_are_found():
    assert named('TABLE = {"Strip": 1}\n"""Strip and Idle"""\nif name in ("Null1", "Nothing"): pass') == {"Strip", "Null1"}
