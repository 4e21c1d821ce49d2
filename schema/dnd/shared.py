"""The objects inside spells and creatures."""

from datetime import datetime

import strawberry

from resolvers.dnd import loaders_equipment
from schema.directives import Summary
from schema.dnd import parts
from schema.fields import batch, derived, plain
from schema.node import Node, id_field


@strawberry.type(
    name="Term",
    description="An entry of a vocabulary that may grow, such as a school, a type or a class.",
)
class Term:
    key: str = plain("The word that filters take, such as `evocation` or `srd_wizard`.")
    name: str = plain("The name for people.")


@strawberry.type(description="How many records of one kind a document has.")
class DocumentCount:
    kind: str = plain("The kind of record, such as `spell` or `magic-item`.")
    count: int = plain("How many there are.")


@strawberry.type(
    description="A document that records are taken from.",
    directives=[
        Summary(
            fields=[
                *("key", "name", "publisher", "edition.key", "licence", "attribution", "mirroredAt", "counts")
            ]
        )
    ],
)
class DndDocument(Node):
    id: strawberry.ID = id_field("DndDocument")
    key: str = plain("Its key, as the `documents` filters take it, such as `srd-2014`.")
    name: str = plain("Its title.")
    publisher: str = plain("Who published it.")
    edition: Term = derived(parts.edition, "edition", description="The rules edition that it is written for.")
    licence: str = plain("Its licence, as an SPDX identifier.")
    licence_url: str = plain("Where the text of the licence can be read.")
    url: str = plain("Where the publisher offers it.")
    attribution: str = plain("The sentence that the licence asks to be shown.")
    source: str = plain(
        "Where its records come from: `embedded` with loregraph, `open5e`, or `merged`, which is both."
    )
    mirrored_at: datetime | None = plain(
        "When what is held of it was read from Open5e by `loregraph sync`; null where it is not a mirror."
    )
    counts: list[DocumentCount] = batch(
        loaders_equipment.document_counts,
        "key",
        description="How many of its records of each kind are held here.",
    )


@strawberry.type(description="What casting a spell takes.")
class SpellComponents:
    text: str = plain("As a rulebook prints it, such as `V, S, M (a bit of fleece)`.")
    verbal: bool = plain("Whether words must be spoken.")
    somatic: bool = plain("Whether gestures must be made.")
    material: bool = plain("Whether a material is needed.")
    materials: str | None = plain("The materials, as written; null when none is needed.")
    material_cost: float | None = plain(
        "The price that the materials must have, in gold pieces; null without one."
    )
    material_consumed: bool = plain("Whether casting uses up a material.")


@strawberry.type(description="The saving throw that a spell asks of its targets.")
class SpellSavingThrow:
    ability: Term = plain("The ability that is rolled with.")
    on_success: str | None = plain(
        "What a success does: `half` the damage, `none` of the effect, or `other`."
    )


@strawberry.type(description="The area that a spell fills.")
class SpellArea:
    shape: str = plain("`cone`, `cube`, `cylinder`, `line` or `sphere`.")
    size: float | None = plain("Its radius, edge or length in feet.")


@strawberry.type(description="The dice rolled at one level.")
class LevelDice:
    level: int = plain("The level of the spell slot, or of the caster.")
    dice: str = plain("The dice, such as `8d6` or `1d8+MOD`, MOD being the spellcasting modifier.")


@strawberry.type(
    description="How far a creature moves in a turn, in feet; null where it cannot move that way."
)
class CreatureSpeed:
    walk: int | None = plain("On foot.")
    fly: int | None = plain("Through the air.")
    swim: int | None = plain("Through water.")
    climb: int | None = plain("Up walls and trees.")
    burrow: int | None = plain("Through earth.")
    hover: bool = plain("Whether it stays in the air without moving.")


@strawberry.type(description="The six ability scores of a creature.")
class CreatureAbilities:
    strength: int = plain("The strength score.")
    dexterity: int = plain("The dexterity score.")
    constitution: int = plain("The constitution score.")
    intelligence: int = plain("The intelligence score.")
    wisdom: int = plain("The wisdom score.")
    charisma: int = plain("The charisma score.")


@strawberry.type(description="What a creature perceives. Reach in feet; null without that sense.")
class CreatureSenses:
    darkvision: int | None = plain("Sees in the dark this far.")
    blindsight: int | None = plain("Perceives without sight this far.")
    tremorsense: int | None = plain("Feels vibrations this far.")
    truesight: int | None = plain("Sees things as they are this far.")
    passive_perception: int = plain("Its passive Perception score.")


@strawberry.type(description="What a creature adds to a d20 with one ability or skill.")
class RollBonus:
    key: str = plain("The ability or skill, such as `dexterity` or `sleight-of-hand`.")
    name: str = plain("The ability or skill, for people.")
    bonus: int = plain("The whole bonus, ability and proficiency included.")


@strawberry.type(description="Damage of one kind.")
class DamageRoll:
    dice: str = plain("The dice, such as `2d10+8`, or a fixed number.")
    damage_type: Term | None = derived(
        parts.optional_term,
        "damage_type",
        description="The type of the damage; null when the text names none.",
    )
    choice: str | None = plain(
        "The case that it is dealt in, when only one of several rolls is; null when it is always dealt."
    )


@strawberry.type(description="The saving throw that a creature's feature asks for.")
class FeatureSavingThrow:
    ability: Term = derived(parts.term, "ability", description="The ability that is rolled with.")
    dc: int = plain("The difficulty class to reach.")
    on_success: str = plain(
        "What a success does: `half` the damage, `none` of the effect, or `other`.", column="success"
    )


@strawberry.type(description="A trait, action or reaction of a creature.")
class CreatureFeature:
    name: str = plain("Its name.")
    description: str = plain("What it does.")
    attack_bonus: int | None = plain("What is added to the attack roll; null when it is no attack.")
    damage: list[DamageRoll] = plain("The damage that it deals.")
    saving_throw: FeatureSavingThrow | None = plain("The saving throw that it asks for.", column="save")
    usage: str | None = plain(
        "How often it can be used, such as `3/Day` or `Recharge 5-6`; null when at will."
    )
    legendary_action_cost: int | None = plain("How many legendary actions it takes; null for all others.")
