import mmap
import os

from clickbpf.declare import (
    KEPT, ArgError, Bool, Element, Filename, Held, Keyword, PerThread, Required, Self, Vars, read_handler, u8, u64, write_handler,
)

#: Two numbers of eight bytes, packets and bytes.
SIZE = 16


class CounterFile(Element):
    """counts packets in a file

    A class of FastClick. The file has 16 bytes: the number of packets that have passed, and the number of their bytes, each of
    eight bytes in this machine's byte order. Any program can map it into memory and read them. Counting continues from the
    numbers of an existing file, so that they outlive a run; a new one is readable by its owner only.

    The file is brought up to date every 10 ms, wherever packets are counted, and when the run ends. (FastClick's is updated by each
    packet, which has to be in user space for that.)

    Example:

        FromDevice(eth0) -> CounterFile(/tmp/packets) -> Discard;
    """

    args = (Required("FILENAME", Filename(), "the file"), Keyword("BATCH_PRECISE", Bool(), False, "accepted, and without effect"))
    #: `vars` is what the file said at the beginning, or another router's element at the end; `known` once that has been read.
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
        if not self.state.vars.known:  # or else an earlier runtime has read it, and its counts go on
            self._begin(self._file[0], self._file[1])

    def take_state(self, before: Self) -> None:
        """The numbers up to the last packet, which the file hasn't got yet; `before` writes no more."""
        if before.cfg.filename == self.cfg.filename:
            self._begin(before._total("packets"), before._total("bytes"))
            before._file = None

    def _begin(self, packets: int, length: int) -> None:
        self.state.vars.packets, self.state.vars.bytes, self.state.vars.known = packets, length, 1

    def called(self, value: int) -> int:
        """The file is brought up to date."""
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
