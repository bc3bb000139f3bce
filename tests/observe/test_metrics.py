"""Metrics of routers that come and go while they are collected."""

import pytest

from clickbpf.errors import ClickError
from clickbpf.observe import metrics


@pytest.mark.parametrize("error", [ClickError("it is not loaded"), FileNotFoundError("router.o")])
def test_a_router_that_goes_away_takes_no_others_along(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Its files go one after the other."""
    asked = []

    def snapshot(observer: metrics.Observer) -> None:
        asked.append(observer.name)
        raise error

    monkeypatch.setattr(metrics.Observer, "snapshot", snapshot)
    assert metrics.text(("first", "second")).endswith("# EOF\n")
    assert asked == ["first", "second"]
