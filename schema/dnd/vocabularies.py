"""Closed vocabularies of D&D, as filter enums. The value behind each name is the word the sources use."""

from enum import Enum

import strawberry
from strawberry import enum_value


@strawberry.enum(description="A rules edition.")
class DndEdition(Enum):
    FIVE_E_2014 = enum_value("5e-2014", description="The rules of 2014 (SRD 5.1).")
    FIVE_E_2024 = enum_value("5e-2024", description="The rules of 2024 (SRD 5.2).")
    A5E = enum_value("a5e", description="Level Up: Advanced 5th Edition.")


@strawberry.enum(description="Who answers a question about D&D.")
class DndProvider(Enum):
    AUTO = enum_value(
        "auto",
        description="What is held here, where it holds the documents, editions and keys that are asked for (with none "
        "named: whatever it holds); else Open5e, and where that fails what is held here, marked as incomplete.",
    )
    LOCAL = enum_value("local", description="What is held here alone: at least the SRD 5.1. Asks no network.")
    OPEN5E = enum_value(
        "open5e",
        description="The live Open5e API: both SRDs and 22 other documents. Its class lists differ from those "
        "held here: it puts spells of subclasses on them, and has no paladin spells of the SRD 5.1.",
    )
    DND5E = enum_value(
        "dnd5e",
        description="The live D&D 5e API: the SRD 5.1, one request a record.",
    )


@strawberry.enum(description="A school of magic.")
class SpellSchool(Enum):
    ABJURATION = enum_value("abjuration", description="Protects, blocks, banishes.")
    CONJURATION = enum_value("conjuration", description="Brings objects and creatures from elsewhere.")
    DIVINATION = enum_value("divination", description="Reveals what is hidden, far away or yet to come.")
    ENCHANTMENT = enum_value("enchantment", description="Sways minds.")
    EVOCATION = enum_value("evocation", description="Shapes energy: fire, lightning, light, healing.")
    ILLUSION = enum_value("illusion", description="Deceives senses and minds.")
    NECROMANCY = enum_value("necromancy", description="Works on life, death and undeath.")
    TRANSMUTATION = enum_value("transmutation", description="Changes what a thing or creature is.")


@strawberry.enum(description="A type of damage.")
class DamageType(Enum):
    ACID = enum_value("acid", description="Corrosive liquids and breath.")
    BLUDGEONING = enum_value("bludgeoning", description="Blunt force, falling, constriction.")
    COLD = enum_value("cold", description="Frost and freezing air.")
    FIRE = enum_value("fire", description="Flames and heat.")
    FORCE = enum_value("force", description="Pure magical energy.")
    LIGHTNING = enum_value("lightning", description="Electricity.")
    NECROTIC = enum_value("necrotic", description="Withers matter and the soul.")
    PIERCING = enum_value("piercing", description="Points and fangs.")
    POISON = enum_value("poison", description="Venom and toxic gas.")
    PSYCHIC = enum_value("psychic", description="Strikes the mind.")
    RADIANT = enum_value("radiant", description="Searing, holy light.")
    SLASHING = enum_value("slashing", description="Blades and claws.")
    THUNDER = enum_value("thunder", description="Concussive sound.")


@strawberry.enum(description="One of the six ability scores.")
class Ability(Enum):
    STRENGTH = enum_value("strength", description="Bodily power.")
    DEXTERITY = enum_value("dexterity", description="Agility and reflexes.")
    CONSTITUTION = enum_value("constitution", description="Endurance.")
    INTELLIGENCE = enum_value("intelligence", description="Reasoning and memory.")
    WISDOM = enum_value("wisdom", description="Perception and insight.")
    CHARISMA = enum_value("charisma", description="Force of personality.")


@strawberry.enum(description="How a spell attack is made.")
class SpellAttack(Enum):
    MELEE = enum_value("melee", description="A melee spell attack.")
    RANGED = enum_value("ranged", description="A ranged spell attack.")


@strawberry.enum(description="A type of creature. A swarm has the type of its members.")
class CreatureType(Enum):
    ABERRATION = enum_value("aberration", description="Utterly alien beings.")
    BEAST = enum_value("beast", description="Animals.")
    CELESTIAL = enum_value("celestial", description="Beings of the Upper Planes.")
    CONSTRUCT = enum_value("construct", description="Made, not born.")
    DRAGON = enum_value("dragon", description="True dragons and their kin.")
    ELEMENTAL = enum_value("elemental", description="Beings of the elemental planes.")
    FEY = enum_value("fey", description="Beings of the Feywild and of wild nature.")
    FIEND = enum_value("fiend", description="Demons, devils and others of the Lower Planes.")
    GIANT = enum_value("giant", description="Giants and their kin.")
    HUMANOID = enum_value("humanoid", description="The peoples of the worlds.")
    MONSTROSITY = enum_value("monstrosity", description="Unnatural monsters.")
    OOZE = enum_value("ooze", description="Shapeless and mindless.")
    PLANT = enum_value("plant", description="Plants that act, and fungi.")
    UNDEAD = enum_value("undead", description="The dead that walk.")


@strawberry.enum(description="The size of a creature.")
class CreatureSize(Enum):
    TINY = enum_value("tiny", description="Fills 2½ by 2½ feet.")
    SMALL = enum_value("small", description="Fills 5 by 5 feet, like Medium, but smaller in body.")
    MEDIUM = enum_value("medium", description="Fills 5 by 5 feet.")
    LARGE = enum_value("large", description="Fills 10 by 10 feet.")
    HUGE = enum_value("huge", description="Fills 15 by 15 feet.")
    GARGANTUAN = enum_value("gargantuan", description="Fills 20 by 20 feet or more.")


@strawberry.enum(description="An alignment that a creature can have.")
class Alignment(Enum):
    LAWFUL_GOOD = enum_value("lawful-good", description="Lawful good.")
    NEUTRAL_GOOD = enum_value("neutral-good", description="Neutral good.")
    CHAOTIC_GOOD = enum_value("chaotic-good", description="Chaotic good.")
    LAWFUL_NEUTRAL = enum_value("lawful-neutral", description="Lawful neutral.")
    NEUTRAL = enum_value("neutral", description="Neutral on both axes.")
    CHAOTIC_NEUTRAL = enum_value("chaotic-neutral", description="Chaotic neutral.")
    LAWFUL_EVIL = enum_value("lawful-evil", description="Lawful evil.")
    NEUTRAL_EVIL = enum_value("neutral-evil", description="Neutral evil.")
    CHAOTIC_EVIL = enum_value("chaotic-evil", description="Chaotic evil.")
    UNALIGNED = enum_value("unaligned", description="Without an alignment, as beasts are.")


@strawberry.enum(description="A condition that can befall a creature.")
class ConditionName(Enum):
    BLINDED = enum_value("blinded", description="Cannot see.")
    CHARMED = enum_value("charmed", description="Cannot attack its charmer.")
    DEAFENED = enum_value("deafened", description="Cannot hear.")
    EXHAUSTION = enum_value("exhaustion", description="Worn out, in six levels.")
    FRIGHTENED = enum_value("frightened", description="Afraid of a source in sight.")
    GRAPPLED = enum_value("grappled", description="Held: speed 0.")
    INCAPACITATED = enum_value("incapacitated", description="Takes no actions or reactions.")
    INVISIBLE = enum_value("invisible", description="Cannot be seen.")
    PARALYZED = enum_value("paralyzed", description="Incapacitated, cannot move or speak.")
    PETRIFIED = enum_value("petrified", description="Turned to stone.")
    POISONED = enum_value("poisoned", description="At a disadvantage on attacks and checks.")
    PRONE = enum_value("prone", description="Lying down.")
    RESTRAINED = enum_value("restrained", description="Bound: speed 0, at a disadvantage.")
    STUNNED = enum_value("stunned", description="Incapacitated, barely speaking.")
    UNCONSCIOUS = enum_value("unconscious", description="Incapacitated and unaware.")
