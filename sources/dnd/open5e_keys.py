"""How our keys follow from Open5e's where a row has none of ours: the prefix of a document, and slugs of names."""

from __future__ import annotations

import re

from sources.text_index import fold

CORE = "core"
"""The document of what all editions share: mostly names, whose texts stand in the descriptions of other documents."""

_PREFIXES = {"srd-2014": "srd", CORE: "srd"}


def prefix_of(document_key: str) -> str:
    """What the keys of a document's records begin with: its own key, but `srd` for the SRD 5.1.

    What stands in `core` alone is the same thing as the SRD 5.1's, which it was taken from.
    """
    return _PREFIXES.get(document_key, document_key)


def slugged(name: str) -> str:
    """The slug of a name: `Special (Lance)` is `special-lance`."""
    return re.sub(r"[^a-z0-9]+", "-", fold(name).replace("'", "")).strip("-")
