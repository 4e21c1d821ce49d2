"""Documents, their publishers and licences, and the lists of words that other rows point to."""

from __future__ import annotations

from typing import Any

from tests.support.fake_open5e.corpus import NO_LINKS, Corpus, Row, reference, slugged
from tests.support.srd_raw import paragraphs, srd_raw

_SRD_URL = "https://dnd.wizards.com/resources/systems-reference-document"

_LICENCES = {
    "cc-by-40": "Creative Commons Attribution 4.0",
    "cc0": "Creative Commons 0",
    "ogl-10a": "OPEN GAME LICENSE Version 1.0a",
}
_PUBLISHERS = {
    "wizards-of-the-coast": "Wizards of the Coast",
    "open5e": "Open5e",
}
_GAME_SYSTEMS = {
    "5e-2014": ("5th Edition 2014", "Original 5th Edition ruleset."),
    "5e-2024": ("5th Edition 2024", "Revised 5th Edition ruleset."),
    "a5e": ("Advanced 5th Edition", "Advanced 5th Edition ruleset."),
}

_ITEM_CATEGORIES = (
    "adventuring-gear", "ammunition", "armor", "art", "equipment-pack", "gem", "jewelry", "land-vehicle", "mount",
    "poison", "potion", "ring", "rod", "scroll", "service", "shield", "spellcasting-focus", "staff", "tools",
    "trade-good", "wand", "waterborne-vehicle", "weapon", "wondrous-item",
)  # fmt: skip
_RARITIES = ("common", "uncommon", "rare", "very-rare", "legendary", "artifact")
_CREATURE_TYPES = (
    "aberration", "beast", "celestial", "construct", "dragon", "elemental", "fey", "fiend", "giant", "humanoid",
    "monstrosity", "ooze", "plant", "undead",
)  # fmt: skip
_SIZES = (
    ("tiny", 1, 2, "d4"),
    ("small", 2, 5, "d6"),
    ("medium", 3, 5, "d8"),
    ("large", 4, 10, "d10"),
    ("huge", 5, 15, "d12"),
    ("gargantuan", 6, 20, "d20"),
)
_ENVIRONMENTS = (
    "caves", "coast", "desert", "forest", "grassland", "hills", "mountain", "ocean", "ruins", "swamp", "urban",
)  # fmt: skip
_SECRET_LANGUAGES = ("Druidic", "Thieves' Cant")


def document(
    key: str,
    name: str,
    *,
    publisher: str = "wizards-of-the-coast",
    publisher_name: str = "Wizards of the Coast",
    gamesystem: str = "5e-2014",
    licences: tuple[str, ...] = ("cc-by-40",),
    display_name: str | None = None,
    **others: Any,
) -> Row:
    """A document as `/v2/documents/` answers it."""
    return {
        "key": key,
        "licenses": [{"name": _LICENCES[licence], "key": licence} for licence in licences],
        "publisher": {"name": publisher_name, "key": publisher},
        "gamesystem": {"name": _GAME_SYSTEMS[gamesystem][0], "key": gamesystem},
        "display_name": display_name or name,
        "name": name,
        "desc": f"About {name}.",
        "type": "SOURCE",
        "author": publisher_name,
        "publication_date": "2023-01-23T00:00:00",
        "permalink": _SRD_URL,
        "distance_unit": "feet",
        "weight_unit": "lb",
        **others,
    }


def add_documents(corpus: Corpus) -> None:
    """`srd-2014` and `core`, with everything that documents point to."""
    for key, name in _LICENCES.items():
        corpus.add("licenses", {"key": key, "name": name, "desc": f"The text of {name}."})
    for key, name in _PUBLISHERS.items():
        corpus.add("publishers", {"name": name, "key": key})
    for key, (name, desc) in _GAME_SYSTEMS.items():
        corpus.add("gamesystems", {"key": key, "name": name, "desc": desc, "content_prefix": ""})
    both = ("cc-by-40", "ogl-10a")
    corpus.add_document(
        document("srd-2014", "System Reference Document 5.1", licences=both, display_name="5e 2014 Rules")
    )
    corpus.add_document(
        document(
            "core",
            "5e Core Concepts",
            publisher="open5e",
            publisher_name="Open5e",
            licences=both,
            display_name="5e Core",
            type="MISC",
            weight_unit=None,
        )
    )


def add_word_lists(corpus: Corpus) -> None:
    """Schools, damage types, sizes, languages and the like, all of the document `core`."""
    core = corpus.document_object("core")
    for raw in srd_raw("MagicSchools"):
        key, name = raw["index"], raw["name"]
        desc = raw["desc"].replace(name, f"**{name}**", 1)
        _add(corpus, "spellschools", {"key": key, "name": name, "desc": desc, "document": "core"}, links=True)
    for raw in srd_raw("DamageTypes"):
        _add(corpus, "damagetypes", {**_described(raw), "name": raw["name"], "document": "core"})
    for key, rank, space, die in _SIZES:
        row = {"key": key, "document": core, "distance_unit": "feet", "name": key.title(), "rank": rank}
        _add(corpus, "sizes", {**row, "space_diameter": space, "suggested_hit_dice": die})
    for key in _CREATURE_TYPES:
        row = {"key": key, "name": key.title(), "document": "core"}
        _add(corpus, "creaturetypes", {**row, "descriptions": []}, links=True)
    for raw in srd_raw("Languages"):
        _add(corpus, "languages", _language(raw["index"], raw["name"], raw["type"] == "Exotic", False))
    for name in _SECRET_LANGUAGES:
        _add(corpus, "languages", _language(slugged(name), name, False, True))
    for raw in srd_raw("Alignments"):
        # The real list gives no names of alignments.
        attitude, _, morality = raw["name"].lower().partition(" ")
        row = {**_described(raw), "morality": morality or attitude, "societal_attitude": attitude}
        _add(corpus, "alignments", {**row, "short_name": raw["abbreviation"], "document": core})
    skills: dict[str, list[Row]] = {}
    for raw in srd_raw("Skills"):
        ability = raw["ability_score"]["index"]
        row = {**_described(raw), "name": raw["name"], "document": "core", "ability": ability}
        _add(corpus, "skills", row)
        skills.setdefault(ability, []).append(row)
    for raw in srd_raw("AbilityScores"):
        key, name = raw["index"], raw["full_name"]
        row = {"key": key, "name": name, "short_desc": "", "document": "core"}
        held = {"skills": skills.get(key, []), "descriptions": _described(raw)["descriptions"]}
        _add(corpus, "abilities", {**row, **held})
    for key in _ENVIRONMENTS:
        row = {"key": key, "name": key.title(), "desc": f"Land of the kind: {key}.", "document": core}
        _add(corpus, "environments", {**row, "aquatic": key in ("coast", "ocean"), "planar": False})
    for key in _ITEM_CATEGORIES:
        _add(corpus, "itemcategories", {"key": key, "name": reference(key)["name"]})
    for rank, key in enumerate(_RARITIES, 1):
        corpus.add("itemrarities", {"name": reference(key)["name"], "key": key, "rank": rank})


def add_conditions(corpus: Corpus) -> None:
    """Conditions exist once, in `core`, with a text for each document that describes them."""
    for raw in srd_raw("Conditions"):
        name = raw["name"]
        lines = [line.replace("- ", "* ", 1) if line.startswith("- ") else line for line in raw["desc"]]
        row = {
            "key": raw["index"],
            "document": corpus.document_object("core"),
            "icon": {
                "name": name,
                "key": f"elderberry_{raw['index']}",
                "file_url": f"/static/img/{raw['index']}.svg",
                "alt_text": f"An icon representing the {raw['index']} condition.",
                "attribution": "Elderberry Inn Icons",
            },
            "descriptions": [
                {"desc": "\r\n".join(lines), "document": "srd-2014", "gamesystem": "5e-2014"},
                {"desc": f"{name}, in other words.", "document": "srd-2024", "gamesystem": "5e-2024"},
            ],
            "name": name,
        }
        _add(corpus, "conditions", row)


def _add(corpus: Corpus, endpoint: str, row: Row, *, links: bool = False) -> None:
    corpus.add(endpoint, {**row, "crossreferences": dict(NO_LINKS)} if links else row, document="core")


def _described(raw: Row) -> Row:
    desc = paragraphs(raw["desc"])
    return {
        "key": raw["index"],
        "descriptions": [{"desc": desc, "document": "srd-2014", "gamesystem": "5e-2014"}],
    }


def _language(key: str, name: str, exotic: bool, secret: bool) -> Row:
    return {
        "key": key,
        "name": name,
        "desc": f"Speakers of {name} know it.",
        "document": "core",
        "script_language": None,
        "is_exotic": exotic,
        "is_secret": secret,
    }
