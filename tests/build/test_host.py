"""How routers' native code is compiled."""

from __future__ import annotations

import pytest

from clickbpf.build.host import FLAGS_VARIABLE, build_router
from clickbpf.errors import ClickError

NEEDS_A_FLAG = "#ifndef ASKED_FOR\n#error it was not asked for\n#endif\n"


def test_the_environment_has_more_flags(monkeypatch):
    monkeypatch.setenv(FLAGS_VARIABLE, "-O0 '-DASKED_FOR=two words'")
    made = build_router(NEEDS_A_FLAG)
    assert build_router(NEEDS_A_FLAG) == made
    monkeypatch.setenv(FLAGS_VARIABLE, "-O0 -DASKED_FOR")
    assert build_router(NEEDS_A_FLAG) != made
    monkeypatch.delenv(FLAGS_VARIABLE)
    with pytest.raises(ClickError, match="it was not asked for"):
        build_router(NEEDS_A_FLAG)
