from ..common._entries import InformationElement


class DevirtualizeInfo(InformationElement):
    """holds parameters for click-devirtualize

    Synopsis: `DevirtualizeInfo(PARAMETER, ...)`

    The tool click-devirtualize reads its arguments. No element has any use for them here, where every router is compiled
    with the elements that it has.

    Arguments:

      - PARAMETER: whatever the tool understands.

    Example:

        i :: FromDevice(eth0) -> Discard;
        DevirtualizeInfo(i);
    """
