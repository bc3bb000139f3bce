from ..common._entries import InformationElement


class ClickyInfo(InformationElement):
    """holds styles for Clicky

    Synopsis: `ClickyInfo(STYLE, ...)`

    Its arguments are for Clicky, the program that draws configurations; the router ignores them.

    Arguments:

      - STYLE: a style for Clicky.

    Example:

        ClickyInfo("Queue { queue-stripe-spacing: 8px }");
        FromDevice(eth0) -> Discard;
    """
