"""The argument that chooses who answers a D&D field."""

from typing import Annotated

import strawberry

from resolvers.dnd.provider import Provider
from schema.dnd.vocabularies import DndProvider
from schema.filtering import word_of

ProviderChoice = Annotated[
    DndProvider | None,
    strawberry.argument(description="Who answers; only auto falls back."),
]


def provider_of(choice: DndProvider | None) -> Provider:
    """The provider that was chosen; AUTO for none."""
    return Provider.AUTO if choice is None else Provider(word_of(choice))
