import ctypes
import os
import struct

from clickbpf.declare import ANEW, USER, ArgError, Bool, Held, Integer, Keyword, ListOf, Private, RemotelyCalled, u64

#: Click's number of the LLRPC that anonymises its argument, an address.
MAP_IPADDRESS = 7
EVERY_CLASS, SYNONYM = 32, 99


class AnonymizeIPAddr(RemotelyCalled, ports="1/1-2", processing="a/ah", runs=USER):
    """replaces IP addresses by others, prefixes by prefixes

    Each address is always replaced by the same other one; two addresses that share a prefix become addresses that share a prefix of
    the same length. The replacements are random, and differ each time the router runs. 0.0.0.0 and 255.255.255.255 stay. Headers
    quoted by ICMP errors are changed as well, and checksums are updated.

    A keyed hash (SipHash) of the bits before it decides whether a bit is flipped.

    Ports: one input; packets without an IPv4 header leave by output 1, or are dropped.

    Example: FromDump(trace.pcap, FORCE_IP true) -> AnonymizeIPAddr(CLASS 4, PRESERVE_8 127) -> ToDump(public.pcap);
    """

    args = (
        Keyword("CLASS", Integer(32), 0, "Integer, 0 to 32. This number of leading one bits stays: with 1, class A addresses stay class A, "
            "with 2 class B as well, and so on"),
        Keyword("PRESERVE_8", ListOf(Integer(8)), (), "Integers from 0 to 255. Addresses of these networks of eight bits stay within them. "
            "Default is none"),
        Keyword("SEED", Bool(), False, "accepted and without effect"),
    )
    state_types = {"key": Private(key=u64 * 2)}
    holds = (Held("the key from which addresses follow", ANEW, ANEW),)
    derived = {"ones": ("int", lambda self: self._class)}

    def configure(self) -> None:
        self._class = getattr(self.cfg, "class")
        if self._class == SYNONYM:
            self._class = EVERY_CLASS
        if self._class > EVERY_CLASS:
            raise ArgError("CLASS must be between 0 and 32", argument="CLASS")

    def code(self) -> str:
        """Whether one of PRESERVE_8 begins with these bits."""
        tests = "".join(
            f"\tif (length < 8 && (length ? {network}u >> (8 - length) : 0) == prefix)\n\t\treturn true;\n"
            for network in self.cfg.preserve_8
        )
        return (
            "static bool SELF(leads_to_preserved)(__u32 prefix, int length)\n{\n\t(void)prefix;\n\t(void)length;\n"
            f"{tests}\treturn false;\n}}\n"
        )

    def initialise(self) -> None:
        self.state.key.key[0], self.state.key.key[1] = struct.unpack("=QQ", os.urandom(16))

    def llrpc(self, number: int, data: bytes) -> bytes:
        """Anonymise the address that `data` begins with."""
        if number != MAP_IPADDRESS or len(data) < 4:
            return super().llrpc(number, data)
        buffer = ctypes.create_string_buffer(data, len(data))
        self.runtime.control(argument=buffer)
        return buffer.raw
