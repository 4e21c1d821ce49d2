"""Raw records of the installed `tinys-srd`, module by module, in the D&D 5e API's shape."""

from __future__ import annotations

import importlib
from copy import deepcopy
from functools import cache
from typing import Any

Raw = dict[str, Any]


@cache
def _records(module: str) -> tuple[Raw, ...]:
    held = importlib.import_module(f"tinys_srd.{module}")
    records = []
    for entry in held.entries:
        record = deepcopy(vars(getattr(held, entry)))
        # The package cannot call an attribute by a word of the language.
        records.append({name.removesuffix("_"): value for name, value in record.items()})
    return tuple(records)


def srd_raw(module: str) -> tuple[Raw, ...]:
    """The records of a module (`MagicItems`), in the package's order; callers must not change them."""
    return _records(module)


def paragraphs(value: Any) -> str:
    """A `desc` as one text; empty where there is none."""
    if not value:
        return ""
    return value if isinstance(value, str) else "\n\n".join(str(line) for line in value)
