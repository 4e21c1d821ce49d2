"""What every resolver of one operation can reach."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from strawberry.dataloader import DataLoader

from resolvers.scope import Scope


@dataclass(slots=True)
class Context:
    """Made anew for each operation by `api.execution`, so that nothing is shared between callers.

    `deadline` is the event loop's time at which root fields are cancelled, `seconds` from the start.
    `argument_values` counts what the root fields were given so far, of at most `most_argument_values`.
    """

    scope: Scope
    deadline: float = math.inf
    seconds: float = math.inf
    most_argument_values: float = math.inf
    argument_values: int = 0
    loaders: dict[Hashable, DataLoader[Any, Any]] = field(default_factory=dict)
