from ..common._entries import InformationElement


class ClickyInfo(InformationElement):
    """holds styles for Clicky

    Synopsis: `ClickyInfo(STYLE, ...)`

    Clicky, the program that draws configurations, reads its arguments; the router does not.

    Arguments:

      - STYLE: whatever Clicky understands.

    Example:

        ClickyInfo("Queue { queue-stripe-spacing: 8px }");
        FromDevice(eth0) -> Discard;
    """
