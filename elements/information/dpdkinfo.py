from ..common._entries import InformationElement


class DPDKInfo(InformationElement):
    """holds parameters of DPDK

    FastClick reads from its arguments how DPDK is set up; here the kernel drives the devices, and nothing reads them.

    Arguments:

      - KEYWORD: whatever FastClick understands.

    Example:

        DPDKInfo(NB_MBUF 1048576);
        FromDPDKDevice(0) -> Discard;
    """
