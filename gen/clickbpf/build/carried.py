"""The compiled files of the runtime that an object carries, so that it can be loaded on machines without a compiler."""

import zlib
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from clickbpf import private
from clickbpf.cache import cache_directory
from clickbpf.errors import ClickError
from clickbpf.lang.archive import read_archive, write_archive

#: The section: a compressed archive of files by their names in the cache.
SECTION = ".clickbpf.runtime"


def pack(files: Iterable[Path]) -> bytes:
    """The section's content for these files of the cache."""
    directory = cache_directory()
    return zlib.compress(write_archive({str(file.relative_to(directory)): file.read_bytes() for file in files}))


def names(content: bytes) -> list[str]:
    """The names of the files that an object carries."""
    return list(_files(content))


def unpack(content: bytes, folder: Path) -> None:
    """Write the files that an object carries into a new folder. If it carries none, no folder is created."""
    for name, data in _files(content).items():
        path = folder / name
        if not path.resolve().is_relative_to(folder.resolve()):
            raise ClickError(f"the object carries a file named '{name}', which is outside its folder")
        for parent in (folder, path.parent):
            if not parent.exists():
                private.make_folder(parent)
        private.write(path, data)


def _files(content: bytes) -> dict[str, bytes]:
    if SECTION.encode() not in content:  # most objects; importing elftools takes longer than all else here
        return {}
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile

    try:
        section = ELFFile(BytesIO(content)).get_section_by_name(SECTION)
        return read_archive(zlib.decompress(section.data()), "the object") if section else {}
    except (ELFError, zlib.error) as error:
        raise ClickError(f"the files in the object can't be read: {error}") from None
