from collections.abc import Iterator
from typing import Any

from clickbpf.declare import (
    CONTROL, ArgError, Context, EtherAddress, IP6Address, IP6Prefix, IPAddress, IPPrefixNonContiguous, NameGiver, Names, Raw, Rest, Type,
    split_words_at,
)
from clickbpf.args.names import ETHER, IP, IP6, IP6_PREFIX, IP_PREFIX


class AddressInfo(NameGiver, ports="0/0", runs=CONTROL):
    """gives names to addresses

    Synopsis: `AddressInfo(NAME ADDRESS ..., ...)`

    Other elements' arguments may then use NAME for an address. A name can have one address of each
    kind: an IP address, an IP prefix, an Ethernet address, an IPv6 address, an IPv6 prefix. The argument's type selects one, or a
    suffix does: `NAME:ip`, `NAME:ipnet`, `NAME:eth`, `NAME:ip6`, `NAME:ip6net`. An address with a prefix length, `10.0.0.1/24`,
    defines both the address and the prefix; an argument that accepts both takes the address. `NAME:bcast` is the broadcast address
    of the prefix, `NAME:gw` its first address, `NAME:ip6link` the link-local IPv6 address formed from the Ethernet address (RFC
    4291, appendix A), `NAME:ip6any` the subnet-router anycast address of the IPv6 prefix (2.6.1), or NAME's own address if the
    prefix has more than 126 bits.

    A name is known in the compound element that contains the AddressInfo, and in all compounds within. An undefined name may be a
    network device's, for its address, its prefix or its Ethernet address; of several IPv6 addresses it is the first global one.

    Arguments:

      - NAME ADDRESS ...: a name and its addresses; an address may be a name that is already defined.

    Example:

        AddressInfo(gate 10.0.0.1/24 02:00:00:00:00:01, everyone 10.0.0.0/8);
        FromDevice(eth0) -> ARPResponder(gate) -> Queue -> ToDevice(eth0);
    """

    args = (Rest("NAME", Raw()),)

    def define_names(self, names: Names) -> None:
        errors: list[ArgError] = []
        for index, text in enumerate(self.cfg.name):
            for error in self._define(text, names):
                errors.append(ArgError(error.message, error.hint, argument="NAME", index=index, offset=error.offset))
        if errors:
            raise ExceptionGroup("addresses", errors)

    def _define(self, text: str, names: Names) -> Iterator[ArgError]:
        """Define one argument's name; yields errors."""
        (name, _), *addresses = split_words_at(text) or [("", 0)]
        if name and not addresses:
            yield ArgError("expected 'NAME [ADDRS]'", "give an address after the name")
        defined: set[str] = set()
        for word, offset in addresses:
            meanings = dict(_meanings(word, self.context))
            if not meanings:
                yield ArgError(f"'{word}' is not a recognizable address", offset=offset)
            for kind, value in meanings.items():
                # A word with several meanings, a name or an address with a prefix, adds only the kinds that are still missing.
                if len(meanings) == 1 or kind not in defined:
                    names.define(kind, self.name, name, value)
            defined |= set(meanings)


def _meanings(word: str, context: Context) -> Iterator[tuple[str, Any]]:
    """The kinds of address that a word can stand for, each with its value."""
    ether = _parsed(EtherAddress(), word, context)
    if ether is not None:
        yield ETHER, ether
    address, prefix = _parsed(IPAddress(), word, context), _parsed(IPPrefixNonContiguous(bare=False), word, context)
    if address is not None:
        yield IP, address
    elif prefix is not None:
        yield IP_PREFIX, prefix
        if prefix.address != prefix.network:
            yield IP, prefix.address
    address6, prefix6 = _parsed(IP6Address(), word, context), _parsed(IP6Prefix(bare=False), word, context)
    if address6 is not None:
        yield IP6, address6
    elif prefix6 is not None:
        yield IP6_PREFIX, prefix6
        if prefix6.ip != prefix6.network.network_address:
            yield IP6, prefix6.ip


def _parsed(kind: Type, word: str, context: Context) -> Any:
    try:
        return kind.parse(word, context)
    except ArgError:
        return None
