"""Routes into tunnels: ADDR/MASK [GATEWAY] OUTPUT [SPI CIPHER_KEY DIGEST_KEY REPLAY WINDOW]."""

import ctypes
from collections.abc import Iterable
from typing import Any, Self

from clickbpf.declare import NOWHERE, ArgError, Context, Integer, frozen, split_words

from ..ip._route import Route
from ..ip._routes import Listed, Routes
from ..ip._routetext import RouteWords
from ..ip._table import Table, prefix_of
from ._association import AES_KEYS, DES_KEYS, DIGEST_KEYS, ELIDED, Association, Key

#: Words of a route that describe its association.
WORDS = 5
CIPHER_KEY, DIGEST_KEY = Key(*AES_KEYS, *DES_KEYS), Key(*DIGEST_KEYS)
SPI, SEQUENCE, WINDOW = Integer(low=1), Integer(low=1), Integer(8)


class TunnelRoute(Route):
    """A route with its tunnel's association, or None. Comparisons ignore the association."""

    tunnel: Association | None = None

    @classmethod
    def of(cls, route: Route, tunnel: Association | None) -> Self:
        made = cls(*route)
        made.tunnel = tunnel
        return made

    @property
    def row(self) -> str:
        """The route in Click's format: with a tunnel, three lines and an empty one."""
        line = super().row
        if self.tunnel is None:
            return line
        keys = f" |{self.tunnel.cipher_key.hex()}| |{self.tunnel.digest_key.hex()}|"
        return f"{line}  |TUNNELED CONNECTION| \n|SPI| |ENC KEY| |AUTH KEY| ||\n |{self.tunnel.spi}|{keys}\n"


@frozen
class TunnelRouteText(RouteWords):
    def parse(self, text: str, context: Context = NOWHERE) -> Route:
        words = split_words(text)
        if len(words) < 2 + WORDS:
            return TunnelRoute.of(super().parse(text, context), None)
        route = super().parse(" ".join(words[:-WORDS]), context)
        return TunnelRoute.of(route, _association(words[-WORDS:], context))

    def elided(self, text: str) -> str:
        words = split_words(text)
        if len(words) < 2 + WORDS:
            return text
        spi, _, _, replay, window = words[-WORDS:]
        return " ".join((*words[:-WORDS], spi, ELIDED, ELIDED, replay, window))

    def describe(self) -> str:
        return f"{super().describe()} [SPI CIPHER_KEY DIGEST_KEY REPLAY WINDOW]"


def _association(words: list[str], context: Context) -> Association:
    types = {"SPI": SPI, "CIPHER_KEY": CIPHER_KEY, "DIGEST_KEY": DIGEST_KEY, "REPLAY": SEQUENCE, "WINDOW": WINDOW}
    values = []
    for (name, type_), word in zip(types.items(), words):
        try:
            values.append(type_.parse(word, context))
        except ArgError as error:
            raise ArgError(f"{name}: {error.message}", error.hint) from None
    return Association(*values)


class TunnelTable(Table):
    """Routes and their associations. All routes with the same SPI share one association.

    `tunnels`: the number of each route's association, from 1, 0 for none. `spis`: a hash table from SPIs to these numbers, with
    linear probing.
    """

    def __init__(self, state: Any):
        self._tunnels, self._associations, self._spis = state.tunnels, state.associations, state.spis
        super().__init__(state)

    def check(self, route: Route) -> None:
        """Raises ArgError if another route's tunnel has the same SPI with other keys."""
        tunnel = getattr(route, "tunnel", None)
        number = self._number_of(tunnel.spi) if tunnel else 0
        if not number or self._users(number) <= {self._numbers.get(prefix_of(route))}:
            return
        known = Association.load(self._associations[number - 1])
        if (known.cipher_key, known.digest_key) != (tunnel.cipher_key, tunnel.digest_key):
            raise ArgError(f"SPI {tunnel.spi} has other keys in another route")

    def _read(self, number: int) -> Route:
        place = self._tunnels[number].association
        return TunnelRoute.of(super()._read(number), Association.load(self._associations[place - 1]) if place else None)

    def _write(self, number: int, route: Route) -> None:
        self._set_tunnel(number, getattr(route, "tunnel", None))
        super()._write(number, route)

    def _write_all(self, routes: Listed | Routes) -> None:
        for number, route in enumerate(routes):
            self._write(number, route)

    def replace(self, route: Route) -> None:
        number = self._numbers.get(prefix_of(route))
        super().replace(route)
        self._set_tunnel(number, getattr(route, "tunnel", None))

    def remove(self, route: Route) -> None:
        number = self._numbers.get(prefix_of(route))
        super().remove(route)
        self._set_tunnel(number, None)

    def clear(self) -> None:
        super().clear()
        for number in range(len(self._tunnels)):
            self._set_tunnel(number, None)

    def _set_tunnel(self, number: int, tunnel: Association | None) -> None:
        old = self._tunnels[number].association
        if old and tunnel and self._associations[old - 1].identity == tunnel.identity:
            return
        self._tunnels[number].association = 0
        if old and not self._users(old):
            self._associations[old - 1].spi = 0
        if tunnel:
            self._tunnels[number].association = self._number_of(tunnel.spi) or self._store(tunnel)
        if tunnel or old:
            self._index()

    def _users(self, association: int) -> set[int]:
        return {number for number, entry in enumerate(self._tunnels) if entry.association == association}

    def _number_of(self, spi: int) -> int:
        return next((number for number, entry in enumerate(self._associations, 1) if entry.spi == spi), 0)

    def _store(self, tunnel: Association) -> int:
        """Store an association where it was before, if a route had it; otherwise in a place never used, if there is one, or any
        free place. There are as many places as routes, so one is free."""
        free = [number for number, entry in enumerate(self._associations, 1) if not entry.spi]
        known = {self._associations[number - 1].identity: number for number in reversed(free)}
        number = known.get(tunnel.identity) or known.get(0) or free[0]
        tunnel.store(self._associations[number - 1])
        return number

    @staticmethod
    def numbered(state: Any) -> list[Any]:
        """The entries of all associations, including those no longer used by any route."""
        return [entry for entry in state.associations if entry.identity]

    @staticmethod
    def remember(state: Any, entries: Iterable[Any]) -> None:
        """Keep the numbers of associations without a route, in case a route gets them later."""
        places = (entry for entry in state.associations if not entry.identity)
        for place, entry in zip(places, entries):
            ctypes.memmove(ctypes.addressof(place), ctypes.addressof(entry), ctypes.sizeof(entry))
            place.spi = 0

    def _index(self) -> None:
        """Rebuild `spis`; unchanged cells aren't written."""
        slots = [0] * len(self._spis)
        for number, entry in enumerate(self._associations, 1):
            if entry.spi:
                place = entry.spi * 2654435769 & 0xFFFFFFFF
                while slots[place % len(slots)]:
                    place += 1
                slots[place % len(slots)] = number
        for cell, number in zip(self._spis, slots):
            if cell.association != number:
                cell.association = number
