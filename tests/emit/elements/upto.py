from clickbpf.declare import SETTINGS, Integer, Reconfigurable, Required, Vars, field_handlers, u32


class UpTo(Reconfigurable, ports="1/2", processing="a/ah"):
    """separates packets longer than a limit, whose text in C names the limit only as a setting"""

    args = (Required("LENGTH", Integer()),)
    state_types = {"vars": Vars(length=u32), "settings": SETTINGS}

    def initialise(self) -> None:
        self.state.vars.length = self.cfg.length

    length = field_handlers("vars", Integer())
