"""The context of an argument: the names, elements and classes that its text can refer to."""

from dataclasses import field
from typing import Any

from clickbpf.args.names import Names, scopes
from clickbpf.frozen import frozen

#: A flat router (graph/router.py), and the library of element classes (vocabulary/library.py): these modules import this one.
Router = Library = Any


@frozen
class Context:
    """The location of a text: the configuration of `element` (a full name, "" outside of any) in `router`."""

    element: str = ""
    router: Router | None = None
    library: Library | None = None
    names: Names = field(default_factory=Names)

    def find(self, name: str) -> str | None:
        """The full name of the element called `name` here: in `a/b/x`, y is a/b/y, else a/y, else y, else None."""
        if self.router is None:
            return None
        return next((scope + name for scope in scopes(self.element) if scope + name in self.router), None)

    def class_of(self, element: str) -> type | None:
        """The class of an element, given its full name; None if it is not known."""
        if self.router is None or self.library is None:
            return None
        class_name = self.router.element(element).class_name
        return self.library.find(class_name) if self.library.known(class_name) else None


#: The context outside of any router: well-known names only, no elements.
NOWHERE = Context()
