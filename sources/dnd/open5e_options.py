"""Character options of Open5e v2 as our records, whole: from the rows of its four lists.

`read_class`, `read_species`, `read_background` and `read_feat` read one row; `read_open5e_options` reads all rows
of some documents, as a mirror needs them. The recipes of single attributes, for lists that need no more than
some, stand in `open5e_classes.py`, `open5e_species.py` and `open5e_backgrounds.py`; both make the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

from sources.dnd.open5e_backgrounds import BACKGROUND_RECIPES, FEAT_RECIPES
from sources.dnd.open5e_class_table import class_features, class_levels
from sources.dnd.open5e_classes import CLASS_RECIPES, kind_of
from sources.dnd.open5e_recipes import Recipe, Recipes, key_of
from sources.dnd.open5e_species import (
    PARENT,
    SPECIES_RECIPES,
    species_trait_links,
    species_traits,
    subspecies_of,
)
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records_options import (
    Background,
    CharacterClass,
    CharacterOption,
    ClassFeature,
    ClassLevel,
    Feat,
    OptionRecords,
    Species,
    SpeciesTrait,
    SpeciesTraits,
    Subclass,
)
from sources.dnd.rows_options import option_texts
from sources.dnd.tables_options import CharacterOptionRow

_Option = TypeVar("_Option", CharacterClass, Subclass, Species, Background, Feat)
_Record = TypeVar("_Record", CharacterOption, ClassFeature, ClassLevel, SpeciesTrait)

PROVIDER = "open5e"
"""The `provider` of each live record: what belongs to it is asked of the same."""

Reject = Callable[[str, Raw, MalformedRecord], None]
"""Is told of a row that cannot be read: the list that it stands in (`classes`), the row, and why."""


@dataclass(frozen=True, slots=True)
class OptionRow:
    """What one row of Open5e says: the option, and what belongs to it."""

    option: CharacterOption
    features: tuple[ClassFeature, ...] = ()
    levels: tuple[ClassLevel, ...] = ()
    traits: tuple[SpeciesTrait, ...] = ()
    species_traits: tuple[SpeciesTraits, ...] = ()

    def records(self) -> OptionRecords:
        """The same as the records of a document."""
        return OptionRecords((self.option,), self.features, self.levels, self.traits, self.species_traits)


def read_class(raw: Raw) -> OptionRow:
    """The class or subclass of a row of `/v2/classes/`, with its features and levels. Raises MalformedRecord."""
    option: CharacterOption
    if kind_of(raw) == "class":
        option = _made(CharacterClass, CLASS_RECIPES, raw)
    else:
        option = _made(Subclass, CLASS_RECIPES, raw)
    return OptionRow(option, features=class_features(raw), levels=class_levels(raw))


def read_species(raw: Raw, parent: Raw | None = None) -> OptionRow:
    """The species of a row of `/v2/species/`, with its traits. Raises MalformedRecord.

    `parent` is the row of the species that a subspecies belongs to, whose size and speed it has.
    """
    whole = raw if parent is None else {**raw, PARENT: parent}
    option = _made(Species, SPECIES_RECIPES, whole)
    return OptionRow(option, traits=species_traits(raw), species_traits=(species_trait_links(raw),))


def read_background(raw: Raw) -> OptionRow:
    """The background of a row of `/v2/backgrounds/`. Raises MalformedRecord."""
    return OptionRow(_made(Background, BACKGROUND_RECIPES, raw))


def read_feat(raw: Raw) -> OptionRow:
    """The feat of a row of `/v2/feats/`. Raises MalformedRecord."""
    return OptionRow(_made(Feat, FEAT_RECIPES, raw))


def read_open5e_options(
    classes: Sequence[Raw],
    species: Sequence[Raw],
    backgrounds: Sequence[Raw],
    feats: Sequence[Raw],
    *,
    reject: Reject | None = None,
) -> OptionRecords:
    """All records of these rows, each list in the order of its keys.

    The rows of the species that subspecies belong to, and of the classes of subclasses, must be among them.
    A row that cannot be read, whose class or species is absent or cannot be read, or that has the key of another
    option or feature is given to `reject`; without it, raises MalformedRecord.
    """
    by_key = {str(raw.get("key")): raw for raw in species}
    read: list[OptionRow] = []
    taken: set[tuple[str, str]] = set()

    def take(endpoint: str, rows: Sequence[Raw], reader: Callable[[Raw], OptionRow]) -> None:
        for raw in rows:
            try:
                row = reader(raw)
                _take_keys(row, taken)
                read.append(row)
            except MalformedRecord as error:
                if reject is None:
                    raise
                reject(endpoint, raw, error)

    def with_owner(reader: Callable[[Raw], OptionRow], owner: str) -> Callable[[Raw], OptionRow]:
        def reads(raw: Raw) -> OptionRow:
            held = {row.option.key for row in read}
            found = reader(raw)
            key = getattr(found.option, owner)
            if key not in held:
                raise MalformedRecord(key_of(raw), owner, f"names `{key}`, which is not among the records")
            return found

        return reads

    base = [raw for raw in classes if not raw.get("subclass_of")]
    take("classes", base, read_class)
    take("classes", [raw for raw in classes if raw.get("subclass_of")], with_owner(read_class, "subclass_of"))
    take("species", [raw for raw in species if not raw.get("subspecies_of")], read_species)
    take(
        "species",
        [raw for raw in species if raw.get("subspecies_of")],
        with_owner(lambda raw: read_species(raw, by_key.get(subspecies_of(raw) or "")), "subspecies_of"),
    )
    take("backgrounds", backgrounds, read_background)
    take("feats", feats, read_feat)
    return OptionRecords(
        options=_by_key(row.option for row in read),
        features=_by_key(feature for row in read for feature in row.features),
        levels=_by_key(level for row in read for level in row.levels),
        traits=_by_key(trait for row in read for trait in row.traits),
        species_traits=tuple(
            sorted((links for row in read for links in row.species_traits), key=lambda one: one.species_key)
        ),
    )


def _take_keys(row: OptionRow, taken: set[tuple[str, str]]) -> None:
    """Adds the keys that a row brings to those that are `taken`. Raises MalformedRecord where one is."""
    keys = [("key", row.option.key), *(("features", feature.key) for feature in row.features)]
    for field, key in keys:
        if (field, key) in taken:
            raise MalformedRecord(row.option.key, field, f"holds `{key}`, which another option has as well")
    taken.update(keys)


def _made(kind: type[_Option], recipes: Recipes, raw: Raw) -> _Option:
    return kind(**{field.name: recipes[field.name].make(raw) for field in fields(kind)})


def _by_key(records: Iterable[_Record]) -> tuple[_Record, ...]:
    return tuple(sorted(records, key=lambda record: record.key))


def _text(read: Callable[[Raw], OptionRow]) -> Callable[[Raw], str]:
    """What full text finds a row's option by, as in the tables of the local records."""

    def make(raw: Raw) -> str:
        return "\n".join(f"{name}\n{body}" for _, name, body in option_texts(read(raw).records()))

    return make


def _recipes(own: Recipes, read: Callable[[Raw], OptionRow], *text_fields: str) -> Recipes:
    """`own`, the full text, who answers, and null for what only other kinds of options have."""
    absent = Recipe((), lambda raw: None)
    others = dict.fromkeys(
        (name for name in CharacterOptionRow.model_fields if name != "name_folded"), absent
    )
    text = Recipe(("key", "name", "document", *text_fields), _text(read), ("key",))
    return {**others, **own, "text": text, "provider": Recipe((), lambda raw: PROVIDER)}


_CLASS_TEXT = (
    "desc", "features", "subclass_of", "hit_dice", "saving_throws", "primary_abilities", "caster_type",
)  # fmt: skip

CLASS_LIST_RECIPES = _recipes(CLASS_RECIPES, read_class, *_CLASS_TEXT)
SPECIES_LIST_RECIPES = _recipes(SPECIES_RECIPES, read_species, "desc", "traits", "subspecies_of")
BACKGROUND_LIST_RECIPES = _recipes(BACKGROUND_RECIPES, read_background, "desc", "benefits")
FEAT_LIST_RECIPES = _recipes(FEAT_RECIPES, read_feat, "desc", "benefits", "prerequisite", "type")
"""How each attribute of an option is made, those of other kinds included: they are null."""
