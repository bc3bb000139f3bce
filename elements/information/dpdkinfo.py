from ..common._entries import InformationElement


class DPDKInfo(InformationElement):
    """holds parameters of DPDK

    In FastClick, its arguments set up DPDK. They have no effect here: the kernel drives the devices.

    Arguments:

      - KEYWORD: an argument of FastClick.

    Example:

        DPDKInfo(NB_MBUF 1048576);
        FromDPDKDevice(0) -> Discard;
    """
