"""What hostile users of the machine and clients of control sockets try on a loaded router, and don't get."""

from __future__ import annotations

import json
import shutil

import pytest

from clickbpf.load.places import RunFolder
from clickbpf.runtime.control import ControlClient
from clickbpf.runtime.handlers import HandlerError

from .conftest import OWN, execute

pytestmark = pytest.mark.needs("root", "ip", "clang-19", "bpftool")

#: Where routers listen, each in a network namespace of its own.
PORT = 7777


@pytest.fixture
def listening(router, cable):
    """A loaded router that listens on TCP as well."""
    router.ip("link", "set", "lo", "up")
    cable.write_text(f"{cable.read_text()}ControlSocket(TCP, {PORT}, LOCALHOST true);\n")
    done = execute(router, "load", str(cable))
    assert done.status == 0, done.err
    return RunFolder.of(OWN)


@pytest.fixture
def trap(listening, tmp_path):
    """A folder that looks like a loaded router's, whose library is Python code that leaves a mark; and that mark."""
    folder, library, mark = tmp_path / "trap", tmp_path / "library", tmp_path / "mark"
    folder.mkdir()
    library.mkdir()
    (library / "trap.py").write_text(f"open({str(mark)!r}, 'w')\n")
    shutil.copy(listening.object, folder)
    record = json.loads(listening.record.read_text())
    (folder / "record.json").write_text(json.dumps({**record, "library": [str(library)]}))
    return folder, mark


def test_no_client_makes_the_service_load_code(router, listening, trap):
    folder, mark = trap
    with router.call(ControlClient, ("127.0.0.1", PORT)) as client:
        with pytest.raises(HandlerError, match="takeover"):
            client.write("takeover", str(folder))
        assert not mark.exists()
        with pytest.raises(HandlerError, match="unimplemented"):
            client.call("TAKEOVER")
    with ControlClient(listening.control) as client:
        with pytest.raises(HandlerError, match="takeover"):
            client.write("takeover", str(folder))
        with pytest.raises(HandlerError, match="Wrong number"):
            client.call(f"TAKEOVER {folder}")
    assert not mark.exists()
