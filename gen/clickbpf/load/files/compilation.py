"""The compilation that a loaded router was made from."""

from clickbpf.compile import Compilation
from clickbpf.load.files.libraries import libraries
from clickbpf.load.files.places import RunFolder
from clickbpf.load.files.record import record


def reopened(folder: RunFolder) -> Compilation:
    """The compilation of a folder's router, by its object and record. ClickError if another version of clickbpf has made the object."""
    done = record(folder)
    return Compilation.reopened(folder.manifest(), libraries(done), done.get("devices", {}))
