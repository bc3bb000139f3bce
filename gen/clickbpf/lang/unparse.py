"""Canonical text of syntax trees: `parse(unparse(tree))` equals `tree`, except for places."""

from collections.abc import Iterable

from clickbpf.lang import ast

INDENT = "    "


def unparse(tree: ast.File) -> str:
    """One statement a line; compound elements over several lines, indented."""
    return "".join(f"{line}\n" for line in _statements(tree.statements, ""))


def _statements(statements: Iterable[ast.Statement], indent: str) -> Iterable[str]:
    return (f"{indent}{_statement(s, indent)};" for s in statements)


def _statement(statement: ast.Statement, indent: str) -> str:
    match statement:
        case ast.Chain(hops=hops, arrows=arrows):
            return _chain(hops, arrows, indent)
        case ast.Declaration(names=names, class_=class_, config=config):
            listed = ", ".join(name.name for name in names)
            return f"{listed} :: {_class(class_, indent)}{_config(config)}"
        case ast.ElementClass(name=name, class_=class_):
            return f"elementclass {name} {_class(class_, indent)}"
        case ast.Require(config=config):
            return f"require{_config(config)}"
        case ast.Provide(config=config):
            return f"provide{_config(config)}"
        case ast.Define(config=config):
            return f"define{_config(config)}"
    raise TypeError(f"not a statement: {statement!r}")


def _chain(hops, arrows, indent: str) -> str:
    words = [", ".join(_item(item, indent) for item in hops[0])]
    for arrow, hop in zip(arrows, hops[1:]):
        words += [arrow.text, ", ".join(_item(item, indent) for item in hop)]
    return " ".join(word for word in words if word)


def _item(item: ast.Item, indent: str) -> str:
    element = _element(item.element, indent) if item.element else ""
    return " ".join(word for word in (_ports(item.inputs), element, _ports(item.outputs)) if word)


def _element(element, indent: str) -> str:
    match element:
        case ast.Use(name=name, config=config):
            return f"{name}{_config(config)}"
        case ast.Declare(name=name, class_=class_, config=config):
            return f"{name} :: {_class(class_, indent)}{_config(config)}"
        case ast.Anonymous(compound=compound, config=config):
            return f"{_class(compound, indent)}{_config(config)}"
        case ast.Group(statements=statements):
            inside = " ".join(f"{_statement(s, indent)};" for s in statements)
            return f"({inside})"
    raise TypeError(f"not an element: {element!r}")


def _class(class_: ast.ClassName | ast.Compound, indent: str) -> str:
    if isinstance(class_, ast.ClassName):
        return class_.name
    bodies = [_body(body, indent + INDENT) for body in class_.bodies]
    if class_.extends:
        bodies.append([f"{indent}{INDENT}..."])
    separator = [f"{indent}||"]
    lines = bodies[0]
    for body in bodies[1:]:
        lines = lines + separator + body
    return "\n".join(["{", *lines, f"{indent}}}"])


def _body(body: ast.Body, indent: str) -> list[str]:
    formals = ", ".join(f"{formal.keyword} ${formal.name}" if formal.keyword else f"${formal.name}" for formal in body.formals)
    head = [f"{indent}{formals} |"] if formals else []
    return head + list(_statements(body.statements, indent))


def _ports(ports: ast.Ports | None) -> str:
    if ports is None:
        return ""
    listed = [f"{r.first}" if r.first == r.last else f"{r.first}-{r.last}" for r in ports.ranges]
    return f"[{', '.join(listed)}{',' if ports.open and listed else ''}]"


def _config(config: ast.Config | None) -> str:
    return "" if config is None else f"({config.text})"
