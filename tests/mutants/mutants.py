"""The mutants: single changes of this project's C and Python that some test has to see."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@dataclass(frozen=True)
class Mutant:
    """`old`, a text that is in `file` once, becomes `new`. `tests` should see it: words of pytest's command line. `survives` says why
    they don't, where that is so."""

    name: str
    file: str
    old: str
    new: str
    tests: str
    survives: str = ""

    def apply(self, root: Path) -> str:
        """Change the tree at `root`; the file's text as it was. ValueError if the old text isn't there once."""
        path = root / self.file
        before = path.read_text()
        if before.count(self.old) != 1:
            raise ValueError(f"{self.file} has the old text {before.count(self.old)} times")
        path.write_text(before.replace(self.old, self.new))
        return before


def mutants() -> list[Mutant]:
    """All of them. The files of table/ have them by the file that they change, which has the tests that see most of them: a row for
    each, with its name, the old text, the new one and, where it has these, other tests or the reason why it survives."""
    found = []
    for path in sorted((HERE / "table").glob("*.toml")):
        for part in tomllib.loads(path.read_text())["part"]:
            common = {"file": part["file"], "tests": part["tests"]}
            for name, old, new, *more in part["mutants"]:
                found.append(Mutant(name=name, old=old, new=new, **dict(common, **(more[0] if more else {}))))
    return found
