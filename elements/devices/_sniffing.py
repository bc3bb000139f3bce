"""Packet sockets, by which FromDevice gets copies of what a device receives and sends, and their filters (packet(7))."""

import ctypes
import os
import socket
import struct
from collections.abc import Sequence

from clickbpf.declare import ArgError
from clickbpf.args.tcpdump import check_filter

#: <linux/if_ether.h>, <linux/if_packet.h> and <asm-generic/socket.h>, where the module socket has no names.
ETH_P_ALL = 3
SOL_PACKET, PACKET_ADD_MEMBERSHIP, PACKET_AUXDATA, PACKET_IGNORE_OUTGOING = 263, 1, 8, 23
PACKET_MR_PROMISC = 1
SO_ATTACH_FILTER, SO_TIMESTAMPNS, SO_RXQ_OVFL = 26, 35, 40
#: The socket's buffer in bytes; the kernel may limit it further.
BUFFER = 4 << 20
#: pcap_compile(): the link types of packets that begin with an Ethernet and with an IP header, the longest packet, and a netmask that
#: isn't known.
DLT_EN10MB, DLT_RAW, LONGEST, NETMASK_UNKNOWN = 1, 12, 1 << 18, 0xFFFFFFFF
LIBPCAP = "libpcap.so.0.8"
#: BPF_MAXINSNS: the kernel takes no longer filters. And the most before they are optimised, which takes seconds for more.
MOST_ROWS, MOST_PLAIN = 4096, 8192

#: code, jt, jf, k of struct bpf_insn.
Row = tuple[int, int, int, int]
ROW = struct.Struct("=HBBI")


class _Program(ctypes.Structure):
    """struct bpf_program."""

    _fields_ = [("length", ctypes.c_uint), ("rows", ctypes.c_void_p)]


def compile_filter(text: str, link: int = DLT_EN10MB) -> tuple[Row, ...]:
    """A filter in tcpdump's language (pcap-filter(7)), for packets of a link type, as classic BPF; none for an empty text. ArgError with
    libpcap's complaint, or for a text that would take long: libpcap asks for no names, and for less than a second of the processor."""
    if not text.strip():
        return ()
    check_filter(text)
    try:
        pcap = ctypes.CDLL(LIBPCAP)
    except OSError as error:
        raise ArgError(f"filters need libpcap: {error}") from None
    pcap.pcap_open_dead.restype, pcap.pcap_geterr.restype = ctypes.c_void_p, ctypes.c_char_p
    opened = ctypes.c_void_p(pcap.pcap_open_dead(link, LONGEST))
    try:
        _compile(pcap, opened, text, MOST_PLAIN, optimise=False)
        rows = _compile(pcap, opened, text, MOST_ROWS, optimise=True)
    finally:
        pcap.pcap_close(opened)
    return tuple(ROW.iter_unpack(rows))


def _compile(pcap: ctypes.CDLL, opened: ctypes.c_void_p, text: str, most: int, optimise: bool) -> bytes:
    """Up to `most` rows."""
    program = _Program()
    if pcap.pcap_compile(opened, ctypes.byref(program), os.fsencode(text), optimise, NETMASK_UNKNOWN):
        said = pcap.pcap_geterr(opened).decode("utf-8", "replace")
        raise ArgError(f"the filter '{text}' can't be used: {said}", "pcap-filter(7) describes the language")
    try:
        if program.length > most:
            raise ArgError(f"the filter has {program.length} instructions, and may have {most}", "use IPFilter for the rest")
        return ctypes.string_at(program.rows, program.length * ROW.size)
    finally:
        pcap.pcap_freecode(ctypes.byref(program))


def open_sniffer(index: int, outbound: bool, promiscuous: bool, rows: Sequence[Row]) -> socket.socket:
    """A socket that gets copies of the packets of the device with that index, with their times and what the kernel lost before them;
    those that Linux sends only if `outbound`. OSError."""
    opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)  # nothing is received before it is bound
    try:
        if rows:
            _attach(opened, rows)
        opened.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, not outbound)
        opened.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
        for option in (SO_TIMESTAMPNS, SO_RXQ_OVFL):
            opened.setsockopt(socket.SOL_SOCKET, option, 1)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        if promiscuous:
            opened.setsockopt(SOL_PACKET, PACKET_ADD_MEMBERSHIP, struct.pack("=iHH8x", index, PACKET_MR_PROMISC, 0))
        opened.setblocking(False)
        opened.bind((socket.if_indextoname(index), ETH_P_ALL))
    except BaseException:
        opened.close()
        raise
    return opened


def _attach(to: socket.socket, rows: Sequence[Row]) -> None:
    """SO_ATTACH_FILTER with a struct sock_fprog, whose pointer has to be right during the call only."""
    packed = ctypes.create_string_buffer(b"".join(ROW.pack(*row) for row in rows))
    to.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HP", len(rows), ctypes.addressof(packed)))
