from __future__ import annotations

from ..common._entries import InformationElement


class DPDKInfo(InformationElement):
    """holds parameters of DPDK

    Synopsis: `DPDKInfo(KEYWORD ...)`

    FastClick reads from its arguments how DPDK is set up; here the kernel drives the devices, and nothing reads them.

    Arguments:

      - KEYWORD: whatever FastClick understands.

    Ports: none.

    Example:

        DPDKInfo(NB_MBUF 1048576);
        FromDPDKDevice(0) -> Discard;
    """
