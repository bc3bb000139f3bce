from clickbpf.declare import ANNOTATIONS, Bool, Integer, Keyword, Reconfigurable, Required, Vars, field_handlers, u32


class Truncate(Reconfigurable):
    """shortens packets

    A packet of more than LENGTH bytes keeps the first LENGTH. The number of removed bytes is added to its EXTRA_LENGTH annotation,
    by which Pad restores the length. The kernel path hands over a packet that would become shorter than an Ethernet header, 14
    bytes.

    Example: headers are enough to look at:

        FromDevice(eth0) -> Truncate(64) -> Print(MAXLENGTH -1) -> Discard;
    """

    args = (
        Required("LENGTH", Integer(), "bytes to keep"),
        Keyword("EXTRA_LENGTH", Bool(), True, "false to leave the annotation alone"),
    )
    state_types = {"vars": Vars(nbytes=u32)}

    def initialise(self) -> None:
        self.state.vars.nbytes = self.cfg.length

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return (ANNOTATIONS["EXTRA_LENGTH"],) if self.cfg.extra_length else ()

    nbytes = field_handlers("vars", Integer(), text="LENGTH")
