"""What a name means: an id, a name, or another name of the same thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sources.text_index import fold

Named = tuple[str, str, Sequence[str]]
"""Key, name, and other names of one thing."""


class NameBook:
    """The names of things of one kind. Names are unique however they are folded, other names need not be."""

    def __init__(self, things: Iterable[Named]) -> None:
        self._names: dict[str, str] = {}
        self._exact: dict[str, str] = {}
        self._folded: dict[str, str] = {}
        self._others: dict[str, dict[str, None]] = {}
        self._others_folded: dict[str, dict[str, None]] = {}
        for key, name, others in things:
            self._names[key] = name
            self._exact[name] = key
            self._folded[fold(name)] = key
            for other in others:
                self._others.setdefault(other, {})[key] = None
                self._others_folded.setdefault(fold(other), {})[key] = None

    def meant(self, text: str) -> tuple[str, ...]:
        """The keys that a text can mean, by the first of these that fits: an id, a name, another name, a name
        but for case and accents, another name but for those. Several only where several share another name.
        """
        if text in self._names:
            return (text,)
        text = text.strip()
        folded = fold(text)
        if text in self._exact:
            return (self._exact[text],)
        if text in self._others:
            return tuple(sorted(self._others[text]))
        if folded in self._folded:
            return (self._folded[folded],)
        return tuple(sorted(self._others_folded.get(folded, ())))

    def name(self, key: str) -> str:
        """The name behind a key. Raises KeyError for an unknown one."""
        return self._names[key]

    @property
    def names(self) -> list[str]:
        """Every name, sorted."""
        return sorted(self._names.values())
