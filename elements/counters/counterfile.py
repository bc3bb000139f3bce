import mmap
import os

from clickbpf.declare import (
    KEPT, ArgError, Bool, Element, Filename, Held, Keyword, PerThread, Required, Self, Vars, read_handler, u8, u64, write_handler,
)

#: Two numbers of eight bytes, packets and bytes.
SIZE = 16


class CounterFile(Element):
    """counts packets in a file

    A class of FastClick. The file has 16 bytes: the number of packets and of their bytes, each an eight-byte integer in host byte
    order. Other programs can map the file into memory to read them. Counting continues from the numbers of an existing file; a new
    file is readable by its owner only.

    The file is updated every 10 ms, and at the end of the run, whether packets pass in the kernel or in the runtime. (FastClick
    updates it for each packet, in user space.)

    Example: FromDevice(eth0) -> CounterFile(/tmp/packets) -> Discard;
    """

    args = (Required("FILENAME", Filename(), "the file"), Keyword("BATCH_PRECISE", Bool(), False, "accepted, and without effect"))
    #: `vars`: the initial counts, from the file or from the element of a replaced router; `known`: set once they have been read.
    state_types = {"counters": PerThread(packets=u64, bytes=u64), "vars": Vars(packets=u64, bytes=u64, known=u8)}
    holds = (Held("counts", KEPT, KEPT),)
    _file: memoryview | None = None

    def started(self) -> None:
        try:
            file = os.open(self.cfg.filename, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.ftruncate(file, SIZE)
                self._file = memoryview(mmap.mmap(file, SIZE)).cast("Q")
            finally:
                os.close(file)
        except OSError as error:
            raise ArgError(f"{self.cfg.filename}: {error.strerror}", argument="FILENAME") from None
        if not self.state.vars.known:  # otherwise an earlier runtime has read the file, and its counts continue
            self._begin(self._file[0], self._file[1])

    def take_state(self, before: Self) -> None:
        """Take the current numbers, as the file may lag behind; `before` stops writing."""
        if before.cfg.filename == self.cfg.filename:
            self._begin(before._total("packets"), before._total("bytes"))
            before._file = None

    def _begin(self, packets: int, length: int) -> None:
        self.state.vars.packets, self.state.vars.bytes, self.state.vars.known = packets, length, 1

    def called(self, value: int) -> int:
        """Update the file."""
        self._file[0], self._file[1] = self._total("packets"), self._total("bytes")
        return 0

    def finished(self) -> None:
        if self._file is not None:
            self.called(0)

    def _total(self, field: str) -> int:
        return (getattr(self.state.vars, field) + self.state.counters.sum(field)) % (1 << 64)

    count = read_handler(lambda self: str(self._total("packets")), text="the number of packets")
    byte_count = read_handler(lambda self: str(self._total("bytes")), text="the number of bytes")

    @write_handler
    def reset(self, text: str) -> None:
        """sets both to 0."""
        self.state.counters.clear()
        self._begin(0, 0)

    reset_counts = reset
