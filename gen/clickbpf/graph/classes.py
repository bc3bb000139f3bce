"""The element classes that names refer to, scope by scope."""

from collections.abc import Callable, Collection

from clickbpf.graph.definitions import Class, Primitive, Unknown

Known = Callable[[str], bool] | Collection[str]


class Classes:
    """The element classes in scope. `known` has those that the text doesn't define.

    Without `known` every name that is used as a class is one, for tools that don't know the elements.
    """

    def __init__(self, known: Known | None) -> None:
        self.known = known
        self._scopes: list[dict[str, Class]] = [{}]
        self._assumed: dict[str, Class] = {}

    def find(self, name: str) -> Class | None:
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        if name in self._assumed:
            return self._assumed[name]
        return Primitive(name) if self.is_known(name) else None

    def is_known(self, name: str) -> bool:
        if self.known is None:
            return False
        return bool(self.known(name) if callable(self.known) else name in self.known)

    def define(self, name: str, class_: Class) -> None:
        self._scopes[-1][name] = class_

    def assume(self, name: str) -> Class:
        """Define a class for an unknown name: without a library an ordinary one, otherwise one that is marked as reported."""
        if self.known is None:
            return self._assumed.setdefault(name, Primitive(name))
        self.define(name, Unknown(name))
        return self._scopes[-1][name]

    def enter(self) -> None:
        self._scopes.append({})

    def leave(self) -> None:
        self._scopes.pop()

    def names(self) -> set[str]:
        seen = set().union(*self._scopes)
        return seen if callable(self.known) or self.known is None else seen | set(self.known)
