"""The compilation that a loaded router was made from."""

from clickbpf.compile import Compilation
from clickbpf.load.devices.record import record
from clickbpf.load.files.places import RunFolder


def reopened(folder: RunFolder) -> Compilation:
    """The compilation of a folder's router, by its object and record. ClickError if another version of clickbpf has made the object."""
    found = record(folder)
    return Compilation.reopened(folder.manifest(), found.trusted_library(), found.devices)
