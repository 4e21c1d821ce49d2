"""What lists can be sorted by: fields of the portal's own, in its own words, so no closed list of them."""

from typing import Annotated

import strawberry

from schema.directives import Constraint

DatasetSort = Annotated[
    str | None,
    strawberry.argument(
        description="Fields with `asc` or `desc`, such as `metadata_modified desc`; by score when left out.",
        directives=[Constraint(max_length=500)],
    ),
]
RowSort = Annotated[
    str | None,
    strawberry.argument(
        description="Columns to sort by, such as `year desc, city`; the order of the table when left out.",
        directives=[Constraint(max_length=1_000)],
    ),
]
