"""Where element classes are found."""

import subprocess
import sys

import pytest

from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import OWN_PACKAGE, PATH_VARIABLE, Library, own_elements
from clickbpf.vocabulary.manual import summary
from clickbpf.vocabulary.sources import c_source

CLASS = "from clickbpf.declare import Element\nclass {0}(Element):\n    '''{1}'''\n"


@pytest.fixture
def directory(tmp_path):
    def write(name, text):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    write("ip/decipttl.py", CLASS.format("DecIPTTL", "first line") + "    aliases = ('TTL',)\n")
    write("several.py", "from .shared import Base\nclass One(Base): pass\nclass Two(Base): pass\nclass _Hidden(Base): pass\n")
    write("shared.py", CLASS.format("_Base", "") + "Base = _Base\n")
    return tmp_path


def test_finds_classes_by_name_and_alias(directory):
    library = Library([directory])
    assert library.names() == ["DecIPTTL", "One", "Two"]
    assert library.find("DecIPTTL") is library.find("TTL")
    assert summary(library.find("DecIPTTL")) == "first line"
    assert library.known("Two") and not library.known("_Hidden") and not library.known("Element")
    assert "TTL" in library and set(library) == {"DecIPTTL", "One", "Two"} and len(library) == 3


def test_imports_only_what_is_asked_for(directory):
    (directory / "broken.py").write_text("raise RuntimeError('imported')\n")
    assert Library([directory]).find("DecIPTTL").__name__ == "DecIPTTL"


def test_unknown_class(directory):
    with pytest.raises(ClickError) as error:
        Library([directory]).find("DecIPTTl")
    (diagnostic,) = error.value.diagnostics
    assert (diagnostic.message, diagnostic.hint) == ("unknown element class 'DecIPTTl'", "did you mean 'DecIPTTL'?")


@pytest.mark.parametrize(
    "text, line, message",
    [
        ("import os\nimport nothing_at_all\n", 2, "can't import this file: ModuleNotFoundError: No module named 'nothing_at_all'"),
        ("x = 1\n\ny = 1 / 0\n", 3, "can't import this file: ZeroDivisionError: division by zero"),
        ("class X:\n  def\n", 2, "can't import this file: SyntaxError: invalid syntax"),
    ],
)
def test_a_file_that_cannot_be_imported(directory, text, line, message):
    file = directory / "broken.py"
    file.write_text(text)
    library = Library([directory])
    for ask in (lambda: library.find("Broken"), lambda: library.known("Nothing"), library.names):
        with pytest.raises(ClickError) as error:
            ask()
        assert [(d.place.file, d.place.line, d.message) for d in error.value.diagnostics] == [(str(file), line, message)]


def test_users_classes_hide_the_librarys(directory, tmp_path_factory):
    mine, other = tmp_path_factory.mktemp("mine"), tmp_path_factory.mktemp("other")
    (mine / "ttl.py").write_text(CLASS.format("DecIPTTL", "mine"))
    (other / "ttl.py").write_text(CLASS.format("DecIPTTL", "other") + CLASS.format("Other", "too"))
    library = Library.standard([mine], {PATH_VARIABLE: f"{other}:{directory}"})
    assert summary(library.find("DecIPTTL")) == "mine"
    assert summary(library.find("Other")) == "too"
    assert library.known("One")


def test_no_such_directory(tmp_path):
    with pytest.raises(ClickError, match="no such directory of element classes: .*nowhere"):
        Library.standard([tmp_path / "nowhere"], {})


def test_c_file_is_found_beside_the_class(directory):
    (directory / "ip" / "decipttl.c").write_text("")
    assert c_source(Library([directory]).find("DecIPTTL")) == directory / "ip" / "decipttl.c"


def test_own_elements_are_one_package():
    """All files of `elements/` can be imported, and their classes are what they say."""
    library = Library([own_elements()])
    for name in library.names():
        class_ = library.find(name)
        assert class_.__module__.startswith(f"{OWN_PACKAGE}.")
        assert sys.modules[class_.__module__].__name__ == class_.__module__


@pytest.mark.whole
def test_every_class_of_the_library_is_found_by_each_of_its_names_alone():
    everything = Library.standard(environment={})
    for name in everything.names():
        class_ = everything.find(name)
        for called in (name, *class_.aliases):
            assert Library.standard(environment={}).find(called) is class_


def test_names_that_are_no_classes_import_nothing_of_the_library():
    program = "from clickbpf.vocabulary.library import Library; l = Library.standard(environment={}); print(l.known('rt'), l.known('Idle'))"
    program += "; import sys; print([name for name in sys.modules if name.startswith('clickbpf_elements.')])"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert shown.splitlines() == ["False True", "['clickbpf_elements.sinks', 'clickbpf_elements.sinks.idle']"]
