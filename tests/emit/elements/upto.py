from clickbpf.args import Integer, Required
from clickbpf.vocabulary.element import Element, field_handlers
from clickbpf.vocabulary.state import SETTINGS, Vars, u32


class UpTo(Element):
    """separates packets longer than a limit, whose text in C names the limit only as a setting"""

    ports = "1/2"
    processing = "a/ah"
    reconfigurable = True
    args = (Required("LENGTH", Integer()),)
    state_types = {"vars": Vars(length=u32), "settings": SETTINGS}

    def initialise(self) -> None:
        self.state.vars.length = self.cfg.length

    length = field_handlers("vars", Integer())
