"""The files for editors: Neovim finds mistakes by them, and VS Code's grammar knows what is what."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

EDITORS = Path(__file__).parents[2] / "tools" / "editors"
VSCODE = EDITORS / "vscode"
CLICKBPF = Path(sys.executable).with_name("clickbpf")
#: Waits for what the server says about the buffer, prints it, and leaves.
NEOVIM = """
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end)
for _, said in ipairs(vim.diagnostic.get(0)) do print(vim.bo.filetype, said.lnum, said.col, said.message) end
print(vim.fn.synIDattr(vim.fn.synID(1, 9, 1), 'name'), vim.fn.synIDattr(vim.fn.synID(1, 1, 1), 'name'))
vim.cmd('qall!')
"""


@pytest.mark.needs("nvim")
def test_neovim_shows_mistakes_and_colours(tmp_path):
    (tmp_path / "router.click").write_text("s :: Idle -> Discrad;\n")
    (tmp_path / "look.lua").write_text(NEOVIM)
    command = ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "--cmd", f"set rtp^={EDITORS}/nvim | let g:clickbpf_command='{CLICKBPF}'"]
    command += ["--cmd", "filetype plugin on | syntax on", "router.click", "-c", "luafile look.lua"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    said = done.stdout + done.stderr
    assert re.search(r"click 0 13 undeclared element 'Discrad'", said), said
    assert re.search(r"clickClass clickName", said), said


def test_the_extensions_files_are_there():
    package = json.loads((VSCODE / "package.json").read_text())
    contributed = package["contributes"]
    paths = [package["main"], contributed["grammars"][0]["path"], contributed["languages"][0]["configuration"]]
    assert [path for path in paths if not (VSCODE / path).is_file()] == []
    json.loads((VSCODE / "language-configuration.json").read_text())
    assert contributed["languages"][0]["extensions"] == [".click"]
    assert contributed["grammars"][0]["language"] == contributed["languages"][0]["id"]


def patterns(rule):
    """The rules within one, those that it includes left out."""
    yield rule
    for inner in rule.get("patterns", ()):
        yield from patterns(inner)


@pytest.mark.parametrize(
    "part, text, scope",
    [
        ("code", "elementclass", "keyword.control.click"),
        ("code", "DecIPTTL", "entity.name.type.click"),
        ("code", "=>", "keyword.operator.click"),
        ("code", "$DEV", "variable.parameter.click"),
        ("code", "output", "variable.language.click"),
        ("arguments", "CAPACITY", "support.type.property-name.click"),
        ("arguments", "10.0.0.1/24", "constant.numeric.click"),
        ("comment", "// what", "comment.line.click"),
    ],
)
def test_the_grammar_knows_what_is_what(part, text, scope):
    grammar = json.loads((VSCODE / "syntaxes" / "click.tmLanguage.json").read_text())
    rules = [rule for rule in patterns(grammar["repository"][part]) if "match" in rule]
    line = f" {text} "
    first = next(rule for rule in rules if re.search(rule["match"], line))
    assert first.get("name") == scope and re.search(first["match"], line)[0].strip() == text
