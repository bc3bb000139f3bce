from collections.abc import Iterable

from clickbpf.declare import ArgError, Bool, Keyword, Required, Word

from .fromdump import FromDump

#: Numbers of userspace/cells.h, by the names for FORMAT and the suffixes of files.
FORMATS = {"tsh": 1, "fr+": 2, "fr": 3}
COMPRESSED = (".gz", ".z", ".bz2", ".xz")


class FromNLANRDump(FromDump):
    """reads packet headers from an NLANR file

    Reads packets from a trace of the National Laboratory for Applied Network Research, in one of the formats FR, FR+ and TSH,
    optionally compressed by gzip, bzip2 or xz, and emits them with their recorded timestamps. Packets are the first 36 bytes of an
    IP packet; the annotation EXTRA_LENGTH counts the bytes after them. With FR, packets are made from addresses, ports, length,
    protocol and TCP flags, the only fields of the format. Packets with IP options, and packets that aren't IP, leave by output 1 or
    are dropped. In TSH dumps the annotation PAINT is the number of the interface.

    Arguments:

      - TIMING, STOP, END_CALL, FILEPOS, ACTIVE, SAMPLE, START, START_AFTER, END, END_AFTER, INTERVAL: as in FromDump.
      - FORCE_IP, MMAP: accepted, of no effect.

    Example: FromNLANRDump(trace.tsh.gz, STOP true) -> AggregateIP(ip dst/16) -> AggregateCounter -> Discard;
    """

    args = (
        Required("FILENAME", FromDump.args[0].type),
        Keyword("TIMING", Bool(), False),
        Keyword("FORMAT", Word(), "guess", "`fr`, `fr+`, `tsh`, or `guess`, by the file's name"),
        *FromDump.args[2:],
    )
    annotations = (*FromDump.annotations, "PAINT", "DST_IP")
    _guessed = True

    def configure(self) -> None:
        super().configure()
        name = self.cfg.format.lower()
        if name not in (*FORMATS, "guess"):
            raise ArgError("bad FORMAT", "expected fr, fr+, tsh or guess", argument="FORMAT")
        if name == "guess":
            name = self._by_file_name()
            self._guessed = name in FORMATS
        self.cells = FORMATS.get(name, FORMATS["tsh"])

    def _by_file_name(self) -> str:
        """The suffix of the file's name, after removing that of a compression format."""
        name = self.cfg.filename.lower()
        ending = next((ending for ending in COMPRESSED if name.endswith(ending)), "")
        return name.removesuffix(ending).rpartition(".")[2]

    def warnings(self) -> Iterable[ArgError]:
        yield from super().warnings()
        if not self._guessed:
            yield ArgError("cannot guess file format from filename, assuming 'tsh'", "say it: FORMAT tsh")
