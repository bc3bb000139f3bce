"""Packet sockets (packet(7)) that give FromDevice copies of a device's packets, and their filters."""

import ctypes
import os
import socket
import struct
from collections.abc import Sequence

from clickbpf.declare import ArgError
from clickbpf.args.tcpdump import check_filter

#: From <linux/if_ether.h>, <linux/if_packet.h> and <asm-generic/socket.h>: names that the module socket lacks.
ETH_P_ALL = 3
SOL_PACKET, PACKET_ADD_MEMBERSHIP, PACKET_AUXDATA, PACKET_IGNORE_OUTGOING = 263, 1, 8, 23
PACKET_MR_PROMISC = 1
SO_ATTACH_FILTER, SO_TIMESTAMPNS, SO_RXQ_OVFL = 26, 35, 40
#: The socket's buffer in bytes; the kernel may limit it further.
BUFFER = 4 << 20
#: For pcap_compile(): link types of packets with an Ethernet header and of IP packets, the longest packet, and the unknown netmask.
DLT_EN10MB, DLT_RAW, LONGEST, NETMASK_UNKNOWN = 1, 12, 1 << 18, 0xFFFFFFFF
LIBPCAP = "libpcap.so.0.8"
#: BPF_MAXINSNS, the kernel's limit for filters; and a limit before optimisation, which takes seconds for longer ones.
MOST_ROWS, MOST_PLAIN = 4096, 8192

#: code, jt, jf, k of struct bpf_insn.
Row = tuple[int, int, int, int]
ROW = struct.Struct("=HBBI")


class _Program(ctypes.Structure):
    """struct bpf_program."""

    _fields_ = [("length", ctypes.c_uint), ("rows", ctypes.c_void_p)]


def compile_filter(text: str, link: int = DLT_EN10MB) -> tuple[Row, ...]:
    """Compile a filter in tcpdump's language (pcap-filter(7)) for a link type to classic BPF; an empty text gives no rows. ArgError
    with libpcap's message, or if it looks up names or takes more than a second of CPU time."""
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
    """A socket for copies of the packets of the device with that index, with timestamps and counts of lost packets; of packets that
    Linux sends only if `outbound`. OSError."""
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
    """SO_ATTACH_FILTER with a struct sock_fprog, whose pointer must be valid only during the call."""
    packed = ctypes.create_string_buffer(b"".join(ROW.pack(*row) for row in rows))
    to.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HP", len(rows), ctypes.addressof(packed)))
