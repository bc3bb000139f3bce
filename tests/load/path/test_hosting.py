"""Opening the runtime's sockets on a device."""

import errno
import os
from types import SimpleNamespace

import pytest

from clickbpf.errors import ClickError
from clickbpf.load.path import hosting

DEVICE = SimpleNamespace(configured="eth0", name="eth0")


class Busy:
    """A runtime that finds the device's queue in use so many times."""

    def __init__(self, times: int, error: int = errno.EBUSY):
        self.tries, self._times, self._error = 0, times, error
        self.tasks = SimpleNamespace(home_of_device=lambda device: -1)

    def add_xsk(self, *what: object) -> None:
        self.tries += 1
        if self.tries <= self._times:
            raise ClickError("opening an AF_XDP socket") from OSError(self._error, os.strerror(self._error))


@pytest.fixture(autouse=True)
def device(monkeypatch):
    monkeypatch.setattr(hosting, "receives_in_parts", lambda device: False)
    monkeypatch.setattr(hosting, "explain_socket", lambda error, device: error)


def test_a_queue_whose_socket_was_closed_a_moment_ago():
    busy = Busy(2)
    hosting._open_socket(busy, DEVICE, 0)
    assert busy.tries == 3


def test_a_queue_that_stays_in_use(monkeypatch):
    monkeypatch.setattr(hosting, "PATIENCE", 0.1)
    with pytest.raises(ClickError, match="opening an AF_XDP socket"):
        hosting._open_socket(Busy(10**6), DEVICE, 0)


def test_nothing_is_waited_for_where_that_is_no_use(monkeypatch):
    for busy in (Busy(2, errno.EPERM), Busy(2)):
        with pytest.raises(ClickError, match="AF_XDP"):
            hosting._open_socket(busy, DEVICE, 0)
        assert busy.tries == 1
        monkeypatch.setattr(hosting, "explain_socket", lambda error, device: hosting.Used("AF_XDP: another router has it"))
