"""The settings of a router's elements according to the configuration, before any change by handlers."""

from collections.abc import Mapping

from clickbpf.compile import Compilation
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.handlers import field_handlers, settings_of


def initial_settings(made: Compilation) -> Mapping[str, Mapping[int, int]]:
    """The bytes of settings in their maps: map -> offset -> byte."""
    found: dict[str, dict[int, int]] = {}
    for entry in made.manifest.states:
        instance = made.checked.instances[entry.element]
        kind = instance.state_types[entry.state]
        value, known = kind.struct(), []
        for key, setting in settings_of(type(instance)):
            argument = getattr(instance.cfg, _argument(instance, key, setting), None)
            if setting.state == entry.state and argument is not None and not isinstance(argument, tuple):
                setting.set(value, key, argument)
                known.append(key)
        known += ["changed"] * hasattr(kind.struct, "changed")  # whether handlers have changed settings, or a classifier's patterns
        content, bytes_of = found.setdefault(entry.map, {}), bytes(value)
        for place in (getattr(kind.struct, key) for key in known):
            content |= dict(enumerate(bytes_of[place.offset : place.offset + place.size], entry.offset + place.offset))
    return found


def _argument(instance: Element, key: str, setting: field_handlers) -> str:
    """The name of a setting's argument: that of its field or, if the argument has another name, that of its handler."""
    names = [key, *(name for name, each in vars(type(instance)).items() if each is setting)]
    return next((name for name in names if hasattr(instance.cfg, name)), key)
