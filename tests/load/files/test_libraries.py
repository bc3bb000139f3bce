"""Which folders of element classes Python is imported from because a record names them."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from clickbpf.errors import ClickError
from clickbpf.load.files import libraries
from clickbpf.testing.executors.source import ELEMENTS
from clickbpf.vocabulary.library import PATH_VARIABLE, own_elements


@pytest.fixture
def library() -> Iterator[Path]:
    """A folder of classes in a folder of the user's own, in which nobody else can write."""
    with tempfile.TemporaryDirectory(dir=Path.home()) as folder:
        made = Path(folder, "library")
        (made / "family").mkdir(parents=True)
        (made / "family" / "mine.py").write_text("")
        for path in (made, *made.rglob("*")):
            path.chmod(0o755)
        yield made


def refused(folder: Path) -> str:
    with pytest.raises(ClickError) as caught:
        libraries.trusted([folder])
    assert f"the element classes in {folder.resolve()} aren't imported" in str(caught.value)
    return str(caught.value)


def test_ones_own_and_clickbpfs(library):
    folders = [str(library), str(own_elements()), str(ELEMENTS)]
    assert libraries.trusted(folders) == folders
    assert libraries.trusted(()) == []


@pytest.mark.parametrize("mode", [0o775, 0o757], ids=["its group", "others"])
@pytest.mark.parametrize("at", ["", "..", "family", "family/mine.py"], ids=["itself", "above", "within", "a file"])
def test_what_others_can_write(library, at, mode):
    place = (library / at).resolve()
    place.chmod(mode)
    assert f"others can write to {place}" in refused(library)


@pytest.mark.needs("root")
@pytest.mark.parametrize("at", ["", "..", "family/mine.py"])
def test_what_belongs_to_others(library, at):
    place = (library / at).resolve()
    os.chown(place, 12345, -1)
    assert f"{place} is user 12345's" in refused(library)


def test_links_lead_where_they_lead(library, tmp_path):
    """Of the folder, to what is looked at in its place; of a file in it, to anywhere."""
    tmp_path.joinpath("link").symlink_to(library)
    assert libraries.trusted([tmp_path / "link"]) == [str(library)]
    library.joinpath("other.py").symlink_to(tmp_path / "other.py")
    assert f"{library}/other.py is a symbolic link" in refused(library)


def test_folders_that_everybody_can_write_in(tmp_path):
    """In a sticky folder others' files can't be replaced, but those of services, which see another /tmp, are root's."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        assert "others can write to /tmp" in refused(Path(folder))


@pytest.mark.parametrize("place", ["/run/clickbpf/router/library", "/var/lib/clickbpf", "/dev/library", "/proc/self/cwd/..", "/sys/fs/bpf"])
def test_folders_that_services_can_write_in(place, monkeypatch):
    monkeypatch.chdir("/proc/self/task")
    assert "services can write in /" in refused(Path(place))


def test_folders_with_too_much(library, monkeypatch):
    monkeypatch.setattr(libraries, "MOST", 5)
    for number in range(5):
        (library / str(number)).touch(0o600)
    assert "it has more than 5 files" in refused(library)


def test_who_looks_may_name_it(library, monkeypatch):
    library.chmod(0o777)
    monkeypatch.setenv(PATH_VARIABLE, f"/nonexistent:{library}")
    assert libraries.trusted([library]) == [str(library)]
