import re
from collections.abc import Iterator
from itertools import combinations

from clickbpf.declare import Anno, ArgError, Names, Word, split_words, written_integer
from clickbpf.args.names import ANNOTATION
from clickbpf.args.values import Anno as Value
from clickbpf.args.wellknown import ANNOTATIONS
from clickbpf.vocabulary import annotations

from ..common._entries import NamingElement

CHECK = "CHECK_OVERLAP"


class AnnotationInfo(NamingElement):
    """gives names to packet annotations

    Synopsis: `AnnotationInfo(NAME OFFSET [SIZE], ..., CHECK_OVERLAP NAME ...)`

    Other elements' arguments may then give NAME for an annotation. A name is known in the compound element that contains the
    AnnotationInfo, and in all compounds within. Predefined names, such as PAINT, keep their meaning.

    Arguments:

      - NAME OFFSET SIZE: a name for SIZE bytes at OFFSET of the packet's 48 annotation bytes; OFFSET may be the name of
        another annotation. Without SIZE the name stands for annotations of any size.
      - CHECK_OVERLAP NAME ...: it is an error if any of these share a byte. They have to be defined here or in an earlier
        AnnotationInfo, or be predefined.

    Example:

        AnnotationInfo(CLASS 18 1, CHECK_OVERLAP CLASS PAINT DST_IP);
        FromDevice(eth0) -> Paint(3, ANNO CLASS) -> Discard;
    """

    def define_names(self, names: Names) -> None:
        super().define_names(names)
        self.each_entry(self._check)

    def _define(self, text: str) -> Iterator[ArgError]:
        words = split_words(text)
        if not words or words[0] == CHECK or words[0].startswith("#"):
            return
        name, *place = words
        if not _can_be_defined(name):
            yield ArgError(f"bad NAME '{name}'", "a word that is no number, and no annotation that everybody knows")
        elif (value := self._place(place)) is None:
            yield ArgError(f"bad entry for '{name}'", f"expected NAME OFFSET [SIZE] within the {annotations.SIZE} annotation bytes")
        else:
            self._names.define(ANNOTATION, self.name, name, value)

    def _place(self, words: list[str]) -> Value | None:
        """OFFSET and SIZE; if OFFSET names an annotation, SIZE has to be the same."""
        if not 1 <= len(words) <= 2 or not (known := self._lookup(words[0])):
            return None
        size = written_integer(words[1]) if len(words) == 2 else 0
        if size is None:
            return None
        fits = size >= 0 and known.offset + size <= annotations.SIZE
        return Value(known.offset, size) if fits and (not size or known.size in (0, size)) else None

    def _check(self, text: str) -> Iterator[ArgError]:
        words = split_words(text)
        if not words or words[0] != CHECK:
            return
        places = {word: self._lookup(word) for word in words[1:]}
        yield from (ArgError(f"bad ANNO '{word}'") for word, place in places.items() if place is None)
        for (one, here), (other, there) in combinations(((w, p) for w, p in places.items() if p), 2):
            if here.offset < there.offset + max(1, there.size) and there.offset < here.offset + max(1, here.size):
                yield ArgError(f"annotations '{one}' and '{other}' conflict")

    def _lookup(self, word: str) -> Value | None:
        try:
            return Anno(0).parse(word, self.context)
        except ArgError:
            return None


def _can_be_defined(name: str) -> bool:
    try:
        Word().parse(name)
    except ArgError:
        return False
    return name not in ANNOTATIONS and not re.match("[+-]?[0-9]", name)
