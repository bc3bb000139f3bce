from ..common._entries import InformationElement


class DevirtualizeInfo(InformationElement):
    """holds parameters for click-devirtualize

    Synopsis: `DevirtualizeInfo(PARAMETER, ...)`

    Its arguments are for the tool click-devirtualize. They have no effect here: every router is compiled for its elements anyway.

    Arguments:

      - PARAMETER: a parameter for the tool.

    Example:

        i :: FromDevice(eth0) -> Discard;
        DevirtualizeInfo(i);
    """
