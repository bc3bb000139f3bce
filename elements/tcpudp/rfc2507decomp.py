from clickbpf.declare import NETWORK, Form

from ._rfc2507 import HeaderContexts


class RFC2507Decomp(HeaderContexts):
    """makes IP packets of those that RFC2507Comp has compressed

    Truncated packets, and packets of connections whose headers haven't arrived yet, are dropped. IP checksums and lengths are
    computed; TCP checksums are as they were sent.

    Example: FromDevice(eth1) -> Classifier(12/88B5) -> Strip(14) -> RFC2507Decomp -> CheckIPHeader -> Discard;
    """

    def gives(self, form: Form | None) -> Form:
        return (form or Form()).changed(begins=NETWORK, marked=False)
