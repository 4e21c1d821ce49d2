"""The root field of character options."""

from typing import Annotated

import strawberry
from strawberry import UNSET

from resolvers.dnd.options import find_character_options
from resolvers.dnd.queries import BY_NAME
from resolvers.question import Answer
from schema.connection import After, Before, Connection, First, Last, question
from schema.directives import Constraint, Tool
from schema.dnd.filters_options import CharacterOptionFilter, CharacterOptionOrder
from schema.dnd.providing import ProviderChoice, provider_of
from schema.dnd.types_class import CharacterOption
from schema.dnd.vocabularies import DndProvider
from schema.fields import root


async def _character_options(
    info: strawberry.Info,
    filter: Annotated[
        CharacterOptionFilter | None,
        strawberry.argument(description="Which character options to return; all when left out."),
    ] = UNSET,
    order_by: Annotated[
        list[CharacterOptionOrder] | None,
        strawberry.argument(
            description="What to sort by, the weightiest first; at most 3. By name when left out.",
            directives=[Constraint(max_items=3)],
        ),
    ] = UNSET,
    first: First = UNSET,
    after: After = UNSET,
    last: Last = UNSET,
    before: Before = UNSET,
    provider: ProviderChoice = DndProvider.AUTO,
) -> Answer:
    asked = question(
        info,
        "CharacterOption",
        filter_=filter,
        order_by=order_by,
        default_order=BY_NAME,
        first=first,
        after=after,
        last=last,
        before=before,
    )
    return await find_character_options(info.context.scope, asked, provider_of(provider))


@strawberry.type
class CharacterOptionQuery:
    character_options: Connection[CharacterOption] | None = root(
        _character_options,
        Connection[CharacterOption] | None,
        Tool(
            name="lookup_character_option",
            flatten="filter",
            omit=["nameExact", "isSubspecies", "size", "speedMin", "orderBy", "provider"],
            aliases=["type=kind"],
        ),
        "What D&D characters are made of: classes, subclasses, species (races), backgrounds and feats.",
    )
