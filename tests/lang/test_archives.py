"""ar(1) archives that hold a configuration."""

import pytest

from clickbpf.errors import ClickError
from clickbpf.graph.elaborate import read_file, read_text
from clickbpf.lang.archive import is_archive, read_archive, write_archive


def header(name: str, size: int) -> bytes:
    return f"{name:<16}{'1700000000':<12}{'0':<6}{'0':<6}{'100644':<8}{size:<10}`\n".encode()


GNU = (
    b"!<arch>\n"
    + header("//", 22) + b"a_rather_long_name.c/\n"
    + header("config/", 12) + b"a :: Idle;\n\n"
    + header("/0", 3) + b"int\n"
)  # fmt: skip


def test_gnu_archive_with_long_name_and_padding():
    assert read_archive(GNU, "x") == {
        "config": b"a :: Idle;\n\n",
        "a_rather_long_name.c": b"int",
    }


def test_bsd_long_name():
    data = b"!<arch>\n" + header("#1/8", 11) + b"long.txtxyz\n"
    assert read_archive(data, "x") == {"long.txt": b"xyz"}


def test_written_archives_read_back():
    members = {"config": b"a :: Idle", "a file": b"", "sixteen_and_more_letters": b"\0\n\xff"}
    data = write_archive(members)
    assert is_archive(data)
    assert read_archive(data, "x") == members


def test_router_from_archive_keeps_the_other_members(tmp_path):
    path = tmp_path / "router.a"
    path.write_bytes(GNU)
    router = read_file(str(path))
    assert [e.name for e in router.elements] == ["a"]
    assert dict(router.archive) == {"a_rather_long_name.c": b"int"}


@pytest.mark.parametrize(
    "data, message",
    [
        (b"!<arch>\n" + header("other/", 0), "archive has no member 'config'"),
        (b"!<arch>\n" + header("config/", 99) + b"short", "member 'config/' is cut off"),
        (b"!<arch>\nnonsense", "bad header at byte 8"),
    ],
)
def test_bad_archives(data, message):
    with pytest.raises(ClickError, match=message):
        read_text(data, name="x.a")
