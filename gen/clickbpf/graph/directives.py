"""The statements with a configuration string, `define`, `require` and `provide`; and compound elements' parameters."""

import re
from collections.abc import Callable, Iterable

from clickbpf.errors import ClickError, Diagnostics, Place
from clickbpf.graph.definitions import Definition
from clickbpf.graph.recovery import Recovery
from clickbpf.lang import ast
from clickbpf.lang.config import split_args, split_words, split_words_at, unquote
from clickbpf.lang.config import words as config_words
from clickbpf.lang.variables import cut

#: (name, place of the statement) -> the library's syntax tree and path, or None if there is no such library.
FindLibrary = Callable[[str, Place], "tuple[ast.File, str] | None"]


class Directives:
    """Collects the content of these statements, and reports mistakes in them."""

    def __init__(self, diagnostics: Diagnostics, find_library: FindLibrary, recovery: Recovery) -> None:
        self.diagnostics, self.find_library, self.recovery = diagnostics, find_library, recovery
        self.requirements: list[tuple[str, str]] = []
        self.required_at: dict[str, Place] = {}
        self.provisions: list[str] = []
        self.libraries: set[str] = set()

    def formals(self, formals: Iterable[ast.Formal], definition: Definition) -> None:
        """Check parameters: first positional ones, then keywords, then `__REST__`; each name and keyword once."""
        out_of_order = False
        for formal in formals:
            if formal.name in definition.formals:
                self.diagnostics.error(formal.place, f"parameter '${formal.name}' multiply defined")
                definition.unclear_formals = True
                continue
            if formal.keyword and formal.keyword in definition.keywords:
                self.diagnostics.error(
                    formal.place,
                    f"repeated keyword parameter '{formal.keyword}' in compound element",
                )
                definition.unclear_formals = True
            before = definition.keywords[-1] if definition.keywords else None
            if before == "__REST__" or (before and not formal.keyword):
                if not out_of_order:
                    self.diagnostics.error(
                        formal.place,
                        "compound element parameters out of order",
                        "first positional parameters, then keywords, then __REST__",
                    )
                out_of_order = definition.unclear_formals = True
            definition.formals.append(formal.name)
            definition.keywords.append(formal.keyword)

    def define(self, statement: ast.Define, definition: Definition) -> None:
        for text, offset in split_args(statement.config.text):
            if not text:
                continue
            place = statement.config.place_of(offset)
            words = split_words_at(text)
            variable = words[0][0]
            if not re.fullmatch(r"\$[A-Za-z0-9_]+", variable):
                self.diagnostics.error(
                    place,
                    f"bad 'define' declaration: '{variable}' is not a variable",
                    "write define($NAME value, ...)",
                )
                self.recovery.lost |= config_words(text) or {"$"}
                continue
            name = variable[1:]
            if name in definition.formals or any(name == d[0] for d in definition.defines):
                self.diagnostics.error(place, f"parameter '${name}' multiply defined")
                continue
            begin = words[1][1] if len(words) > 1 else len(text)
            value = argument(statement.config, text, offset)
            definition.defines.append((name, cut(value, begin), place))

    def provide(self, statement: ast.Provide) -> None:
        self.provisions += [unquote(text) for text, _ in split_args(statement.config.text)]

    def require(self, statement: ast.Require, definition: Definition) -> list[ast.File]:
        """Collect requirements; returns the libraries to include here."""
        libraries = []
        for text, offset in split_args(statement.config.text):
            words = [unquote(word) for word in split_words(text)]
            place = statement.config.place_of(offset)
            match words:
                case []:
                    pass
                case ["library", name]:
                    libraries += self.library(name, place, definition)
                case ["compact_config"]:
                    self.requirements.append(("compact_config", ""))
                case ["package", name] | [name] if name not in ("package", "library"):
                    self.requirements.append(("package", name))
                    self.required_at.setdefault(name, place)
                case _:
                    self.diagnostics.error(
                        place,
                        "syntax error at requirement",
                        "write require(package NAME) or require(library FILE)",
                    )
        return libraries

    def library(self, name: str, place: Place, definition: Definition) -> list[ast.File]:
        if definition.depth:
            self.diagnostics.error(place, "'require(library)' must be used at file scope")
            return []
        try:
            found = self.find_library(name, place)
        except ClickError as error:
            self.diagnostics.extend(error.diagnostics)
            self.recovery.missing_library = True
            return []
        if found is None:
            hint = "CLICKPATH names the folders that are searched"
            self.diagnostics.error(place, f"library '{name}' not found", hint, f"library '{name}' not found in CLICKPATH/conf")
            self.recovery.missing_library = True
            return []
        file, path = found
        if path in self.libraries:
            return []
        self.libraries.add(path)
        return [file]


def argument(config: ast.Config, text: str, offset: int) -> ast.Config:
    """Argument `text` of `config` with its places, which are approximate after a comment in it."""
    if config.text.startswith(text, offset):
        return cut(config, offset, offset + len(text))
    return ast.Config(text, (ast.Anchor(0, config.place_of(offset)),))
