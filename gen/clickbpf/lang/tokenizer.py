"""From text to tokens, each with its place; line directives (`# 12 "file"`) are taken into account.

Mistakes are reported and repaired at once, as was probably meant, so that the parser doesn't see a second mistake with the same cause.
"""

import bisect
import re

from clickbpf.errors import Diagnostics, Fix, Place, Sources
from clickbpf.lang.ast import Anchor, Config
from clickbpf.lang.config import is_open, pieces, unquote
from clickbpf.lang.landmarks import LINE, NEWLINE, Landmarks
from clickbpf.lang.missing_end import guess_end
from clickbpf.lang.tokens import KEYWORDS, PUNCTUATION, Token, token

# What people type instead of a connector, and what they mean.
MISTYPED = {
    "-->": "->", "==>": "=>", "<-": "->", "- >": "->", "= >": "=>", ">": "->", "=": "=>",
    ": :": "::", ":": "::", ":=": "::", "-": "->",
}  # fmt: skip

_WORD = r"[A-Za-z0-9_@]+(?:/[A-Za-z0-9_@]+)*"
_SPACE = re.compile(r"(?:[ \t\v\f]+|\r\n|\n|\r|//[^\n\r]*)+")
_TOKEN = re.compile(
    rf"""(?P<word>{_WORD})
       | (?P<variable>\$[A-Za-z0-9_]+)
       | (?P<mistyped>-->|==>|<-|-[ \t]+>|=[ \t]+>|:[ \t]+:|:=)
       | (?P<punctuation>->|=>|::|\|\||\.\.\.|[|,;\-(){{}}\[\]])
       | (?P<sloppy>[>=:])""",
    re.VERBOSE,
)
#: What makes a configuration string more than plain text; also its end.
_UNPLAIN = re.compile(r"""[()"'\\;#]|/[/*]""")
_DIRECTIVE = re.compile(r"""\#[ \t]*(?:line[ \t]+)?(?P<line>[0-9]+)[ \t]*(?P<file>"(?:[^"\\\n\r]|\\[^\n\r])*"?)?[^\n\r]*""")
_NUMBER = re.compile(r"0[xX][0-9A-Fa-f]+|0[0-7]*|[1-9][0-9]*")
MOST_DIGITS = 100  # of a port or line number; longer ones are wrong anyway
_STATEMENT_END = re.compile(r";[ \t]*(?://[^\n\r]*)?[\n\r]")
_NO_ARGUMENT = re.compile(r"->|=>|::|[;{}\n\r]")
_UNOPENED = re.compile(r"[^);\n\r]*")
_AFTER_KEYWORD = re.compile(r"\s*(?:[)}\]]\s*\(|\(|::|//|/\*)")
_CONNECTOR = re.compile(r"(?:.*[^-])?(?:->|=>).*|::", re.DOTALL)
_IN_PORTS = re.compile(r"\s*[\],-]")  # after a port, or what was meant to be one


def tokenize(text: str, file: str, sources: Sources, diagnostics: Diagnostics) -> list[Token]:
    """The tokens of `text`, with `$END` as the last; the text's lines are added to `sources`."""
    return _Tokenizer(text, file, sources, diagnostics).run()


#: Hints for characters that can't be seen.
_CLASS = re.compile(r"=[ \t]*[A-Z]")  # "c = Counter"
_ADVICE = {".": "output 1 of c is 'c[1]'", "\ufeff": "save the file without a byte order mark", "\xa0": "write an ordinary space"}


def _unknown(char: str) -> str:
    """The message about a character that no token begins with, or about a byte that isn't UTF-8."""
    if "\udc80" <= char <= "\udcff":
        return f"the byte {ord(char) - 0xDC00:#04x} is not UTF-8"
    shown = char if char.isprintable() else f"\\x{ord(char):02x}" if char < "\x80" else f"U+{ord(char):04X}"
    return f"unknown character '{shown}'"


class _Tokenizer:
    def __init__(self, text: str, file: str, sources: Sources, diagnostics: Diagnostics) -> None:
        self.text, self.original_file = text, file
        self.sources, self.diagnostics = sources, Diagnostics()
        self.all_diagnostics = diagnostics
        self.landmarks = Landmarks(text, file)
        self.tokens: list[Token] = []
        self.in_ports = False
        self.braces: list[bool] = []  # for each open `{`: does it belong to an elementclass?
        self.since_elementclass: int | None = None
        self.groups = [0]  # open `(` of element groups, within each open `{`
        self.last_config: tuple[int, int, int] | None = None  # the last one's token, its end, and the number of mistakes before it
        self.garbled = -1  # the line of the last unknown character
        self.unclosed: dict[int, list[re.Match[str]]] = {}  # each unclosed `(` found, and the strings and comments that may be the cause

    def run(self) -> list[Token]:
        pos = 0
        while (pos := self.skip(pos)) < len(self.text):
            match = _TOKEN.match(self.text, pos)
            pos = self.one(match) if match else self.unknown(pos)
        self.add("$END", "", pos, pos)
        self.landmarks.record(self.text, self.sources)
        self.all_diagnostics.extend(self.diagnostics)
        return self.tokens

    def place(self, offset: int) -> Place:
        return self.landmarks.place(offset)

    def add(self, kind: str, text: str, offset: int, end: int, config=None) -> None:
        self.tokens.append(token(kind, text, self.place(offset), self.place(end), config))
        self.tokens[-1].offset = offset

    def note_damage(self) -> None:
        """Record a mistake in the statement of the last token."""
        if self.tokens:
            self.tokens[-1].damaged = True

    # Between tokens.

    def skip(self, pos: int) -> int:
        """The position after space, comments and line directives."""
        while pos < len(self.text):
            if self.at_directive(pos):
                pos = self.directive(pos)
            elif self.text.startswith("/*", pos):
                pos = self.comment(pos)
            elif self.text[pos] == "#" or not (space := _SPACE.match(self.text, pos)):
                break
            else:
                # A directive ends the run of space: it must be seen with the line it begins.
                line = re.search(r"[\n\r](?=#)", space[0])
                pos = space.start() + line.end() if line else space.end()
        return pos

    def comment(self, pos: int) -> int:
        end = self.text.find("*/", pos + 2)
        if end >= 0:
            return end + 2
        self.diagnostics.warning(self.place(pos), "the rest of the file is a comment", "write '*/' where it ends", in_click="")
        return len(self.text)

    def at_directive(self, pos: int) -> bool:
        return self.text[pos] == "#" and (pos == 0 or self.text[pos - 1] in "\n\r")

    def directive(self, pos: int) -> int:
        """Apply a directive; returns the end of its line. `#!` lines are comments."""
        match = _DIRECTIVE.match(self.text, pos)
        end = LINE.match(self.text, pos).end()
        if match:
            file = unquote(match["file"]) if match["file"] else self.landmarks.file()
            newline = NEWLINE.match(self.text, end)
            begin, line = (newline.end() if newline else end), int(match["line"][:MOST_DIGITS])
            self.landmarks.rename(begin, file or self.original_file, line)
        elif not self.text.startswith("#!", pos):
            self.diagnostics.error(
                self.place(pos),
                "unknown preprocessor directive",
                "a directive is '# 12 \"file\"' or '#line 12 \"file\"'; comments begin with '//'; "
                "texts for the C preprocessor have to be preprocessed first: cpp -P",
            )
        return end

    # Tokens.

    def one(self, match: re.Match[str]) -> int:
        kind, text, pos = match.lastgroup, match[0], match.start()
        if kind == "word":
            return self.word(text, pos, match.end())
        elif kind == "variable":
            if self.tokens and self.tokens[-1].type == "IDENT":
                self.tokens[-1].type = "KEYWORD"
            self.add("VARIABLE", text[1:], pos, match.end())
        elif kind in ("mistyped", "sloppy") or (text == "-" and not self.in_ports):
            return self.mistyped(text, pos)
        elif text == "(" and self.config_expected():
            return self.config(pos)
        elif text == ")" and not self.groups[-1] and self.closes_early(pos):
            return match.end()
        else:
            self.punctuation(text, pos)
        return match.end()

    def word(self, text: str, pos: int, end: int) -> int:
        """Add a word's token; returns the position after it."""
        if self.in_ports and (_NUMBER.fullmatch(text) or _IN_PORTS.match(self.text, end)):
            return self.port(text, pos, end)
        self.in_ports = False
        self.since_elementclass = self.since_elementclass + 1 if self.since_elementclass is not None else None
        kind = KEYWORDS.get(text, "IDENT")
        if kind == "ELEMENTCLASS":
            self.since_elementclass = 0
        self.add(kind, text, pos, end)
        if kind in ("REQUIRE", "PROVIDE", "DEFINE") and not _AFTER_KEYWORD.match(self.text, end):
            return self.unopened(text, end)
        return end

    def unopened(self, keyword: str, pos: int) -> int:
        """Report that no `(` follows a keyword, and take the rest of the statement for its configuration."""
        self.diagnostics.error(self.place(pos), f"missing '(' after '{keyword}'", f"write {keyword}(...)")
        end = _UNOPENED.match(self.text, pos).end()
        self.add_config(pos, [(pos, end)], guessed=True)
        return end + self.text.startswith(")", end)

    def port(self, text: str, pos: int, end: int) -> int:
        if not _NUMBER.fullmatch(text):
            self.diagnostics.error(self.place(pos), f"port number expected, not '{text}'", "ports count from 0")
            self.add("PORT", "0", pos, end)
            self.note_damage()
            return end
        base = 16 if text[:2] in ("0x", "0X") else 8 if text[0] == "0" else 10
        self.add("PORT", str(int(text[:MOST_DIGITS], base)), pos, end)
        return end

    def punctuation(self, text: str, pos: int, written: str | None = None) -> None:
        kind = PUNCTUATION[text]
        was_in_ports = self.in_ports
        if kind == "LSQB":
            self.in_ports = True
        elif kind not in ("COMMA", "DASH") and not self.is_stray(kind):
            self.in_ports = False
        stray = self.is_stray(kind) or (kind == "RSQB" and not was_in_ports)
        self.count_group(kind)
        if kind == "LBRACE":
            self.braces.append(self.since_elementclass == 1)
        defined = kind == "RBRACE" and bool(self.braces) and self.braces.pop()
        self.since_elementclass = 2 if defined else None
        if kind == "COLONCOLON" and self.tokens and self.tokens[-1].type in KEYWORDS.values():
            self.diagnostics.error(self.tokens[-1].place, f"'{self.tokens[-1]}' is a keyword, it can't be a name")
            self.tokens[-1].type = "IDENT"
        self.add(kind, text, pos, pos + len(written or text))
        self.tokens[-1].stray = stray

    def config_expected(self) -> bool:
        """Whether a `(` here begins a configuration string: it follows a name, a compound or a keyword."""
        if not self.tokens or self.since_elementclass == 2:
            return False
        before = next((t for t in reversed(self.tokens) if not t.stray), self.tokens[-1])
        return before.type in ("IDENT", "RBRACE", "COLONCOLON", "REQUIRE", "PROVIDE", "DEFINE")

    def is_stray(self, kind: str) -> bool:
        """Whether a closing bracket closes nothing."""
        return (kind == "RPAR" and not self.groups[-1]) or (kind == "RBRACE" and len(self.groups) == 1)

    def count_group(self, kind: str) -> None:
        if kind == "LBRACE":
            self.groups.append(0)
        elif kind == "RBRACE" and len(self.groups) > 1:
            self.groups.pop()
        elif kind in ("LPAR", "RPAR"):
            self.groups[-1] = max(0, self.groups[-1] + (1 if kind == "LPAR" else -1))

    def closes_early(self, pos: int) -> bool:
        """Report a superfluous `)` if the text between it and the last configuration string looks like more arguments."""
        if not self.last_config:
            return False
        number, end, mistakes = self.last_config
        if _NO_ARGUMENT.search(self.text, end, pos):
            return False
        self.diagnostics.forget(mistakes)
        del self.tokens[number + 1 :]
        config = self.tokens[number]
        start = config.config.place
        more = Config(config.config.text + self.text[end - 1 : pos], (Anchor(0, start),), True)
        config.config, config.damaged = more, True
        self.diagnostics.error(self.place(pos), "')' without '('", "leave it out, or open with '(' before")
        return True

    def mistyped(self, text: str, pos: int) -> int:
        meant = MISTYPED[re.sub(r"[ \t]+", " ", text)]
        if text == "=" and _CLASS.match(self.text, pos):
            meant = "::"
        hint = {
            "->": "elements are connected with '->' or '=>'",
            "=>": "elements are connected with '->' or '=>'",
            "::": "an element is declared as 'name :: Class(arguments)'",
        }[meant]
        hint = hint if text == "<-" else Fix(hint, text, meant)
        self.diagnostics.error(self.place(pos), f"'{text}' found where '{meant}' was expected", hint)
        self.punctuation(meant, pos, text)
        if text == "<-":
            self.note_damage()  # it may have been meant backwards
        return pos + len(text)

    def unknown(self, pos: int) -> int:
        """Report a character that begins no token; take a string for a name, and `#` for a comment."""
        char = self.text[pos]
        if char == "#":
            hint = "comments begin with '//'; a line directive begins its line"
            end = LINE.match(self.text, pos).end()
        elif closing := re.compile(r"'[^'\n\r]*'|\"[^\"\n\r]*\"").match(self.text, pos):
            hint = "strings belong into the parentheses of a configuration"
            end = closing.end()
            self.add("IDENT", closing[0], pos, end)
        else:
            # Repetitions, and in a port list the word that follows, are part of the mistake.
            rest = rf"{re.escape(char)}*" + (r"[A-Za-z0-9_@.]*" if self.in_ports else "")
            hint, end = _ADVICE.get(char), re.compile(rest).match(self.text, pos).end()
        line = self.landmarks.line_index(pos)
        if line != self.garbled or char == "#":  # one report a line
            self.diagnostics.error(self.place(pos), _unknown(char), hint)
        self.garbled = line
        if char != "#":
            self.note_damage()
        return end

    # Configuration strings.

    def config(self, opening: int) -> int:
        """Read a configuration string up to the matching `)`; if it is missing, up to the end of the statement or line.

        It is missing if a `;` at the end of a line is followed by connections, even if there is a `)` after these.
        """
        if opening in self.unclosed:
            return self.unterminated(opening)
        start = chunk = opening + 1
        if (plain := _UNPLAIN.search(self.text, start)) and plain[0] == ")":
            self.add_config(opening, [(start, plain.start())])
            return plain.end()
        opened = [opening]
        parts: list[tuple[int, int]] = []
        suspects: list[re.Match[str]] = []
        ended = False
        landmarks = self.landmarks.count()
        for piece in pieces(self.text, start):
            pos = piece.start()
            if pos < chunk:
                continue  # within a line directive
            if self.at_directive(pos):
                parts.append((chunk, pos))
                end = self.directive(pos)
                newline = NEWLINE.match(self.text, end)
                chunk = newline.end() if newline else end
                parts.append((end, chunk))
            elif piece.lastgroup in ("single", "double") and "\n" in piece[0]:
                suspects.append(piece)
            elif piece[0] == "(":
                opened.append(pos)
            elif piece[0] == ")":
                opened.pop()
                if not opened:
                    self.add_config(opening, [*parts, (chunk, pos)])
                    return pos + 1
            elif piece.lastgroup == "other":
                if ended and _CONNECTOR.fullmatch(piece[0]):
                    break
                ended = ended or bool(_STATEMENT_END.match(self.text, piece.end() - 1))
            if is_open(piece) and not piece[0].startswith("//"):
                suspects.append(piece)
                break
        self.landmarks.forget(landmarks)  # the text will be read again
        self.unclosed.update(dict.fromkeys(opened, suspects))
        return self.unterminated(opening)

    def unterminated(self, opening: int) -> int:
        """Report an unclosed parenthesis, string or comment, and go on where it probably should have ended.

        The first string over several lines, or the open comment, is the cause: quotes after a forgotten one open strings where they
        should close them.
        """
        start, suspects = opening + 1, self.unclosed[opening]
        at = bisect.bisect_right(suspects, opening, key=lambda piece: piece.start())
        open_piece = suspects[at] if at < len(suspects) else None
        if open_piece is None:
            place, what, closing = self.place(opening), "parenthesis '('", ")"
        else:
            place, text = self.place(open_piece.start()), open_piece[0]
            what, closing = {
                "'": ("string", "'"), '"': ("string", '"'), "/": ("comment", "*/"),
            }.get(text[0], ("data", ">"))  # fmt: skip
        self.diagnostics.error(place, f"unterminated {what}", f"close it with {closing}")
        end, go_on = guess_end(self.text, start, open_piece.start() if open_piece else None)
        self.add_config(opening, [(start, end)], guessed=True)
        return go_on

    def add_config(self, opening: int, parts: list[tuple[int, int]], guessed: bool = False) -> None:
        anchors, text = [], ""
        for begin, end in parts:
            anchors.append(Anchor(len(text), self.place(begin)))
            text += self.text[begin:end]
        self.add("CONFIG", "(", opening, parts[-1][1], Config(text, tuple(anchors), guessed))
        self.tokens[-1].damaged = guessed
        self.last_config = (len(self.tokens) - 1, parts[-1][1] + 1, len(self.diagnostics))
        self.since_elementclass = None
