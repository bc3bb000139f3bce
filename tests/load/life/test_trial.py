"""Trials by their files alone: which one ends, which one is kept, and what comes back."""

import pytest

from clickbpf.errors import ClickError
from clickbpf.load.files import places
from clickbpf.load.files.places import RunFolder
from clickbpf.load.life import trial


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """folders(n) is the folder of the router number n of those that have, one after another, the same name; the last one has it now."""
    monkeypatch.setattr(places, "RUN", tmp_path / "run")
    made: list[RunFolder] = []

    def folder(content: str, token: str = "") -> RunFolder:
        made.append(RunFolder(tmp_path / str(len(made))))
        new, current = made[-1], made[max(len(made) - 2, 0)]
        new.root.mkdir()
        if token:
            trial.put_on_trial(token, new, current)
        new.object.write_text(content)
        new.record.write_text(f"{content}'s record")
        monkeypatch.setattr(RunFolder, "of", lambda name: new)
        return new

    return folder


def test_a_trial_ends_by_its_own_token_only(folders):
    folder = folders("tried", "first")
    assert trial.end("router", "another") is None
    assert trial.token_of(folder) == "first", "it goes on"
    assert trial.end("router", "first") == folder.version()
    assert trial.token_of(folder) is None and trial.end("router", "first") is None


def test_what_is_kept_is_the_trial_that_is_meant(folders):
    folder = folders("tried", "first")
    with pytest.raises(ClickError, match="another router has replaced"):
        trial.confirm("router", "another")
    assert trial.token_of(folder) == "first"
    trial.confirm("router", "first")
    with pytest.raises(ClickError, match="is not waiting"):
        trial.confirm("router")


@pytest.mark.parametrize("over", [False, True], ids=["during a trial", "after its end"])
def test_what_comes_back_was_not_on_trial_itself(folders, over):
    folders("kept")
    folders("tried", "first")
    if over:
        trial.end("router", "first")
    assert trial.before(folders("tried next", "second")) == (b"kept", "kept's record")


def test_nothing_comes_back_where_nothing_was_kept(folders):
    folders("tried", "first")
    assert trial.before(folders("tried next", "second")) is None


def test_a_router_that_was_kept_comes_back(folders):
    folders("kept")
    folders("tried", "first")
    trial.confirm("router", "first")
    assert trial.before(folders("tried next", "second")) == (b"tried", "tried's record")
