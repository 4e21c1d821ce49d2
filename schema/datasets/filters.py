"""The filter over datasets, and the weights of a ranking."""

from typing import Annotated

import strawberry

from schema.directives import Constraint
from schema.filtering import alternatives, condition, negation
from schema.scalars import DateOrTime
from sources.criteria import Op


@strawberry.input(
    description="Which datasets to return. All given fields must hold; a list means any of its values. Names are "
    "compared letter by letter, as the portal holds them."
)
class DatasetFilter:
    organization: list[str] | None = condition(
        "organization",
        Op.IN,
        "Names of organizations, as `organizations` gives them.",
        max_items=50,
        max_length=200,
    )
    tags: list[str] | None = condition("tags", Op.HAS_ANY, "Has such a tag.", max_items=50, max_length=200)
    groups: list[str] | None = condition(
        "groups", Op.HAS_ANY, "Names of groups, as `datasetGroups` gives them.", max_items=50, max_length=200
    )
    format: list[str] | None = condition(
        "format",
        Op.HAS_ANY,
        "Has a resource of this format, such as `csv`, whatever its case.",
        max_items=20,
        max_length=100,
    )
    licence: list[str] | None = condition(
        "licence_id", Op.IN, "Ids of licences, such as `cc-by`.", max_items=20, max_length=200
    )
    modified_min: DateOrTime | None = condition(
        "metadata_modified", Op.AT_LEAST, "Its description was changed then or later."
    )
    modified_max: DateOrTime | None = condition(
        "metadata_modified", Op.AT_MOST, "Its description was changed then or before."
    )
    created_min: DateOrTime | None = condition(
        "metadata_created", Op.AT_LEAST, "The portal took it up then or later."
    )
    created_max: DateOrTime | None = condition(
        "metadata_created", Op.AT_MOST, "The portal took it up then or before."
    )
    has_datastore: bool | None = condition(
        "has_datastore",
        Op.EQUALS,
        "Whether rows of a resource can be asked for. Slow: datasets are read to check it.",
    )
    any_of: list["DatasetFilter"] | None = alternatives()
    not_: Annotated["DatasetFilter", strawberry.lazy("schema.datasets.filters")] | None = negation()


def _weight(default: float, description: str) -> float:
    weight: float = strawberry.field(
        default=default, description=description, directives=[Constraint(min=0, max=1000)]
    )
    return weight


@strawberry.input(
    name="RelevanceWeightsInput",
    description="What a field is worth that holds every term; one that holds some has its share.",
)
class RelevanceWeightsInput:
    title: float = _weight(4.0, "Its title.")
    notes: float = _weight(2.0, "Its description.")
    tags: float = _weight(3.0, "Its tags together.")
    organization: float = _weight(1.0, "Its organization.")
    holder: float = _weight(4.0, "The holder of its rights.")
    publisher: float = _weight(2.0, "Its publisher.")
