from clickbpf.declare import CONTROL, ArgError, Element, Raw, Rest


class Error(Element, ports="-/-", flow="x/y", runs=CONTROL):
    """keeps the router from running

    For a configuration, or a branch of one, that must not run but has no error otherwise. Any ports and arguments are accepted.

    Arguments: any.

    Example: a configuration that asks for its variable. It is refused as it stands:

        Error("DEV is the device to listen on") -> Discard;
    """

    args = (Rest("IGNORED", Raw()),)

    def configure(self) -> None:
        given = ", ".join(self.cfg.ignored)
        raise ArgError(f"this router is not to be run{f': {given}' if given else ''}")
