"""Documents that were made up for tests: nothing in them was ever published.

They hold what the SRD does not: accents and curly apostrophes, signs that mean something to LIKE and to lists,
absent values, names that several documents share, and creatures that are rated 0. `srd-2024` is the real
document's key, with a handful of invented records of the other edition.
"""

from __future__ import annotations

from typing import Any

from tests.support.fake_open5e.corpus import Corpus, Row, copied, reference
from tests.support.fake_open5e.rows_items import item_row, magic_item_row
from tests.support.fake_open5e.rows_reference import document

EXTRA_DOCUMENTS = ("srd-2024", "ember", "tide", "a5e-lantern")
"""Their keys: an edition, two third parties under the OGL, and a document of another game system."""

_SPELLS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    # document, slug, name, what differs from an evocation of the first level
    ("srd-2024", "fireball", "Fireball", {"level": 3, "classes": ("sorcerer", "wizard")}),
    ("srd-2024", "alarm", "Alarm", {"school": "abjuration", "ritual": True, "classes": ("ranger", "wizard")}),
    ("srd-2024", "sorcerous-burst", "Sorcerous Burst", {"level": 0, "classes": ("sorcerer",)}),
    ("ember", "fireball", "Fireball", {"level": 4, "classes": ("srd_wizard", "srd_sorcerer")}),
    (
        "ember",
        "eclair-noir",
        "Éclair noir",
        {"level": 2, "damage_types": ["lightning"], "damage_roll": "3d6"},
    ),
    ("ember", "facade-of-thorns", "Façade of Thorns", {"school": "illusion", "classes": ("srd_druid",)}),
    ("ember", "wizards-lantern", "Wizard’s Lantern", {"level": 0, "classes": ("srd_wizard",)}),
    ("ember", "ecole", "ÉCOLE DE FEU", {"level": 5, "duration": "special", "material_cost": None}),
    ("ember", "half-measure", "50% Measure", {"casting_time": "turn", "shape_type": None, "classes": ()}),
    (
        "ember",
        "ash_and_bone",
        "Ash_and_Bone",
        {"school": "necromancy", "level": 9, "classes": ("srd_cleric",)},
    ),
    ("tide", "wizards-lantern", "Wizard's Lantern", {"level": 1, "school": "transmutation"}),
    ("tide", "salt-sea-and-sky", "Salt, Sea and Sky", {"school": "transformation", "casting_time": "1week"}),
    ("tide", "undertow", "Undertow", {"range": None, "range_text": "Special", "target_count": None}),
    ("tide", "strasse", "Straße der Wellen", {"level": 6, "concentration": True, "duration": "9 hours"}),
    ("tide", "ijsselmeer", "İsselmeer’s Ward", {"level": 7, "reaction_condition": "when struck"}),
    ("a5e-lantern", "fireball", "Fireball", {"level": 3, "classes": ()}),
    ("a5e-lantern", "don-t-look", "Don’t Look", {"level": 2, "school": "enchantment", "verbal": False}),
)

_CREATURES: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    # document, slug, name, what differs from the SRD's goblin
    (
        "srd-2024",
        "goblin-warrior",
        "Goblin Warrior",
        {"type": reference("fey"), "alignment": "chaotic neutral"},
    ),
    (
        "srd-2024",
        "aboleth",
        "Aboleth",
        {"challenge_rating": 10.0, "experience_points": 5900, "hit_points": 150},
    ),
    ("ember", "goblin", "Goblin", {"challenge_rating": 0.5, "experience_points": 100}),
    ("ember", "cendre", "Âme de cendre", {"challenge_rating": 0.0, "experience_points": 10}),
    ("ember", "ash-moth", "Ash Moth", {"challenge_rating": 0.0, "experience_points": 0, "actions": []}),
    ("ember", "kings-hound", "King’s Hound", {"category": "Hounds", "subcategory": "Royal", "alignment": ""}),
    (
        "tide",
        "goblin",
        "Goblin",
        {"challenge_rating": 0.0, "experience_points": 0, "size": reference("tiny")},
    ),
    ("tide", "kings-hound", "King's Hound", {"darkvision_range": None}),
    ("tide", "leviathan", "Leviathan", {"challenge_rating": 30.0, "size": reference("titanic")}),
    ("a5e-lantern", "candle-imp", "Candle Imp", {"challenge_rating": 0.125, "environments": []}),
)


def add_extra_documents(corpus: Corpus) -> None:
    """Adds the documents and their records."""
    _add_documents(corpus)
    for key, slug, name, others in _SPELLS:
        corpus.add("spells", _spell(corpus, key, slug, name, dict(others)), document=key)
    goblin = corpus.get("creatures", "srd_goblin")
    assert goblin is not None
    for key, slug, name, others in _CREATURES:
        row = {**copied(goblin.row), "key": f"{key}_{slug}", "name": name, **copied(others)}
        corpus.add("creatures", {**row, "document": corpus.document_object(key)}, document=key)
    _reprint(corpus, "creatures", "adult-red-dragon", "srd-2024")
    _add_items(corpus)
    _add_options(corpus)


def _add_documents(corpus: Corpus) -> None:
    for key, name in (("ember-press", "Ember Press"), ("tide-table", "Tide & Table"), ("lantern", "Lantern")):
        corpus.add("publishers", {"name": name, "key": key})
    ogl = ("ogl-10a",)
    documents = (
        document(
            "srd-2024", "System Reference Document 5.2", gamesystem="5e-2024", display_name="5e 2024 Rules"
        ),
        document(
            "ember",
            "The Book of Ember’s Élan",
            publisher="ember-press",
            publisher_name="Ember Press",
            licences=ogl,
        ),
        document("tide", "Tide Tables", publisher="tide-table", publisher_name="Tide & Table", licences=ogl),
        document(
            "a5e-lantern",
            "The Lantern Guide",
            publisher="lantern",
            publisher_name="Lantern",
            gamesystem="a5e",
        ),
    )
    for row in documents:
        corpus.add_document(row)
    corpus.add(
        "spellschools",
        {
            "key": "transformation",
            "name": "Transformation",
            "desc": "A school of the sea.",
            "document": "tide",
            "crossreferences": {"to": []},
        },
        document="tide",
    )
    titanic = corpus.get("sizes", "gargantuan")
    assert titanic is not None
    corpus.add("sizes", {**titanic.row, "key": "titanic", "name": "Titanic", "rank": 7}, document="core")


def _spell(corpus: Corpus, key: str, slug: str, name: str, others: dict[str, Any]) -> Row:
    model = corpus.get("spells", "srd_burning-hands")
    assert model is not None
    # A class of the document's own edition where no document is named.
    tags = others.pop("classes", ("srd_wizard",))
    keys = [tag if "_" in tag else f"{key}_{tag}" for tag in tags]
    row = {
        **copied(model.row),
        "key": f"{key}_{slug}",
        "document": corpus.document_object(key),
        "classes": [{"name": item.partition("_")[2].title(), "key": item} for item in sorted(keys)],
        "name": name,
        "desc": f"{name} lights the dark.\r\nIt burns.",
        "crossreferences": {"to": []},
    }
    school = others.pop("school", None)
    return {**row, **({"school": reference(school)} if school else {}), **others}


def _add_items(corpus: Corpus) -> None:
    for endpoint, key in (("items", "longsword"), ("magicitems", "adamantine-armor"), ("rulesets", "combat")):
        _reprint(corpus, endpoint, key, "srd-2024")
    ember, tide = corpus.document_object("ember"), corpus.document_object("tide")
    for row in (
        item_row("ember_rope", "Rope’s End", ember, cost=None, weight=None),
        item_row("ember_longsword", "Longsword", ember, cost="30.00", weight="2.500"),
    ):
        corpus.add("items", row, document="ember")
    corpus.add("items", item_row("tide_oar", "Oar", tide, cost="0.05", weight="10.000"), document="tide")
    artifact = {"name": "Artifact", "key": "artifact", "rank": 6}
    for row in (
        magic_item_row("tide_pearl", "Pearl of the Déluge", tide, requires_attunement=True, rarity=artifact),
        magic_item_row("tide_net", "Net of Nothing", tide, rarity=None, cost=None),
    ):
        corpus.add("magicitems", row, document="tide")


def _add_options(corpus: Corpus) -> None:
    for endpoint, key in (
        ("classes", "wizard"),
        ("classes", "sorcerer"),
        ("classes", "ranger"),
        ("species", "elf"),
        ("backgrounds", "acolyte"),
        ("feats", "grappler"),
    ):
        for document_key in ("srd-2024", "ember"):
            _reprint(corpus, endpoint, key, document_key)
    rule = corpus.get("rules", "srd_combat_movement-and-position")
    assert rule is not None
    row = {**copied(rule.row), "key": "srd-2024_combat_moving-around", "document": "srd-2024"}
    row |= {"name": "Moving Around", "ruleset": "srd-2024_combat"}
    corpus.add("rules", row, document="srd-2024")


def _reprint(corpus: Corpus, endpoint: str, slug: str, document_key: str) -> None:
    """Adds a record of the SRD 5.1 to another document as well."""
    source = corpus.get(endpoint, f"srd_{slug}")
    assert source is not None
    row = {**copied(source.row), "key": f"{document_key}_{slug}"}
    row["document"] = corpus.document_object(document_key)
    for feature in row.get("features", ()):
        feature["key"] = feature["key"].replace("srd_", f"{document_key}_", 1)
    corpus.add(endpoint, row, document=document_key, hidden=source.hidden)
