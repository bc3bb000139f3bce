"""Lists of routes: as columns, without an object for each, or as objects for routes with more properties. Both have the same
interface:

    addrs, masks        the column of all addresses, and of all masks
    kinds()             for each route what makes it good or bad for a table: routes of one kind are equally so
    only(numbers)       those with these numbers
"""

from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from sys import byteorder
from typing import ClassVar, Self, TypeAlias

from ._route import Route

Column: TypeAlias = "array[int] | list[int]"


class Listed(tuple[Route, ...]):
    """Routes as objects."""

    @property
    def addrs(self) -> Sequence[int]:
        return [route.addr for route in self]

    @property
    def masks(self) -> Sequence[int]:
        return [route.mask for route in self]

    @classmethod
    def of(cls, routes: Iterable[Route]) -> Self:
        return cls(routes)

    def kinds(self) -> Iterable[Hashable]:
        return range(len(self))

    def only(self, numbers: Iterable[int]) -> Self:
        return Listed(map(self.__getitem__, numbers))


class Routes(Sequence[Route]):
    """Routes as columns: arrays of addresses, masks, gateways and outputs, in host order. Not changed once shared."""

    __slots__ = ("addrs", "gateways", "masks", "ports")
    #: The class of a single route.
    route: ClassVar[type[Route]] = Route

    def __init__(self, addrs: Column, masks: Column, gateways: Column, ports: array):
        self.addrs, self.masks, self.gateways, self.ports = addrs, masks, gateways, ports

    @staticmethod
    def column(addresses: Iterable[int]) -> Column:
        """Addresses or masks, as columns have them."""
        return array("I", addresses)

    @classmethod
    def of(cls, routes: Iterable[Route]) -> Self:
        if isinstance(routes, cls):
            return routes
        addrs, masks, gateways, ports = tuple(zip(*routes)) or ((), (), (), ())
        return cls(cls.column(addrs), cls.column(masks), cls.column(gateways), array("i", ports))

    @classmethod
    def joined(cls, parts: Iterable[Iterable[Route]]) -> Self:
        """The routes of all parts, in their order."""
        whole = cls.of(())
        for part in map(cls.of, parts):
            for column in Routes.__slots__:
                getattr(whole, column).extend(getattr(part, column))
        return whole

    def __len__(self) -> int:
        return len(self.addrs)

    def __getitem__(self, index: int) -> Route:
        return self.route(self.addrs[index], self.masks[index], self.gateways[index], self.ports[index])

    def __iter__(self) -> Iterator[Route]:
        return map(self.route, self.addrs, self.masks, self.gateways, self.ports)

    def kinds(self) -> Iterable[Hashable]:
        return zip(self.masks, self.ports)

    def only(self, numbers: Iterable[int]) -> Self:
        return self.of(map(self.__getitem__, numbers))


def swapped(numbers: array) -> array:
    """Swap the bytes of all numbers, between host and network order; returns the same array."""
    if byteorder == "little":
        numbers.byteswap()
    return numbers


def by_mask(masks: Sequence[int]) -> dict[int, array]:
    """The numbers of the routes with each mask."""
    found: dict[int, array] = {mask: array("I") for mask in set(masks)}
    for number, mask in enumerate(masks):
        found[mask].append(number)
    return found


def distinct(routes: Listed | Routes, last: bool = False) -> Listed | Routes:
    """One route for each prefix, the first; or the last, at the first one's place."""
    addrs, groups = routes.addrs, by_mask(routes.masks)
    if all(len({addrs[number] for number in numbers}) == len(numbers) for numbers in groups.values()):
        return routes
    if last:
        return routes.of({route[:2]: route for route in routes}.values())
    firsts: list[int] = []
    for numbers in groups.values():
        firsts += {addrs[number]: number for number in reversed(numbers)}.values()
    return routes.only(sorted(firsts))
