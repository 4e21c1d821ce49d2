"""Classes, species, backgrounds, feats and rules in the upstream's shape, made from the raw SRD."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from sources.dnd.vocabulary import subclass_slug_and_name
from tests.support.fake_open5e.corpus import NO_LINKS, Corpus, Row, links, slugged
from tests.support.srd_raw import Raw, paragraphs, srd_raw

_DOCUMENT = "srd-2014"
_SPECIES_SLUGS = {"lightfoot-halfling": "lightfoot"}
_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th")
_CASTERS = {
    "FULL": ("bard", "cleric", "druid", "sorcerer", "wizard"),
    "HALF": ("paladin", "ranger"),
    "PACT": ("warlock",),
}
_ABILITIES = {raw["index"]: raw["full_name"] for raw in srd_raw("AbilityScores")}


def add_classes(corpus: Corpus) -> None:
    """Adds the classes and subclasses; only the former have hit points."""
    document = corpus.document_object(_DOCUMENT)
    for raw in srd_raw("Classes"):
        key, name, die = f"srd_{raw['index']}", raw["name"], raw["hit_die"]
        caster = next((kind for kind, names in _CASTERS.items() if raw["index"] in names), "NONE")
        row = {
            "key": key,
            "features": [*_features(key, raw["index"], None), *_columns(key, raw["index"])],
            "hit_points": {
                "hit_dice": f"D{die}",
                "hit_dice_name": f"1D{die} per {name} level",
                "hit_points_at_1st_level": f"{die} + your Constitution modifier",
                "hit_points_at_higher_levels": (
                    f"1D{die} (or {die // 2 + 1}) + your Constitution modifier per {name.lower()} level after 1st"
                ),
            },
            "document": document,
            "saving_throws": [{"name": _ABILITIES[save["index"]]} for save in raw["saving_throws"]],
            "subclass_of": None,
            "name": name,
            "desc": "",
            "hit_dice": f"D{die}",
            # The upstream lacks it for the wizard.
            "caster_type": None if raw["index"] == "wizard" else caster,
            "primary_abilities": [],
            "crossreferences": dict(NO_LINKS),
        }
        corpus.add("classes", row, document=_DOCUMENT)
    for raw in srd_raw("Subclasses"):
        slug, name = subclass_slug_and_name(raw["index"], raw["name"])
        key = f"srd_{slug}"
        row = {
            "key": key,
            "features": _features(key, raw["class"]["index"], raw["index"]),
            "document": document,
            "saving_throws": [],
            "subclass_of": {"name": raw["class"]["name"], "key": f"srd_{raw['class']['index']}"},
            "name": name,
            "desc": paragraphs(raw["desc"]),
            "hit_dice": None,
            "caster_type": None,
            "primary_abilities": [],
            "crossreferences": dict(NO_LINKS),
        }
        corpus.add("classes", row, document=_DOCUMENT)


def add_species(corpus: Corpus) -> None:
    """Adds species and subspecies."""
    traits = {raw["index"]: raw for raw in srd_raw("Traits")}
    for raw in srd_raw("Races"):
        corpus.add("species", _species(corpus, raw, traits, raw["traits"], None), document=_DOCUMENT)
    for raw in srd_raw("Subraces"):
        parent = f"srd_{raw['race']['index']}"
        corpus.add("species", _species(corpus, raw, traits, raw["racial_traits"], parent), document=_DOCUMENT)


def add_backgrounds_and_feats(corpus: Corpus) -> None:
    """Adds the one background and the one feat of the SRD 5.1."""
    document = corpus.document_object(_DOCUMENT)
    for raw in srd_raw("Backgrounds"):
        skills = [item["name"].removeprefix("Skill: ") for item in raw["starting_proficiencies"]]
        equipment = [f"{item['quantity']} {item['equipment']['name']}" for item in raw["starting_equipment"]]
        feature = raw["feature"]
        benefits = [
            ("Equipment", ", ".join(equipment), "equipment"),
            ("Languages", "Two of your choice", "language"),
            (feature["name"], "\r\n\r\n".join(feature["desc"]), "feature"),
            ("Skill Proficiencies", ", ".join(skills), "skill_proficiency"),
        ]
        row = {
            "key": f"srd_{raw['index']}",
            "benefits": [{"name": name, "desc": desc, "type": kind} for name, desc, kind in benefits],
            "document": document,
            "name": raw["name"],
            "desc": "",
            "crossreferences": links(("Cleric", "/v2/classes/srd_cleric/")),
        }
        corpus.add("backgrounds", row, document=_DOCUMENT)
    for raw in srd_raw("Feats"):
        needs = [
            f"{_ABILITIES[item['ability_score']['index']]} {item['minimum_score']} or higher"
            for item in raw["prerequisites"]
        ]
        corpus.add("feats", feat_row(raw, document, ", ".join(needs)), document=_DOCUMENT)


def feat_row(raw: Raw, document: Row, prerequisite: str) -> Row:
    """A feat as `/v2/feats/` answers it."""
    return {
        "key": f"srd_{raw['index']}",
        "has_prerequisite": bool(prerequisite),
        "benefits": [{"desc": line.removeprefix("- ")} for line in raw["desc"][1:]],
        "document": document,
        "name": raw["name"],
        "desc": raw["desc"][0],
        "prerequisite": prerequisite,
        "type": "GENERAL",
        "crossreferences": dict(NO_LINKS),
    }


def add_rules(corpus: Corpus) -> None:
    """Adds rule sets and their rules. A rule names its document and rule set by their keys alone."""
    sections = {raw["index"]: raw for raw in srd_raw("RuleSections")}
    for raw in srd_raw("Rules"):
        key = f"srd_{raw['index']}"
        rules = []
        for index, item in enumerate(raw["subsections"], 1):
            rule = {
                "key": f"{key}_{item['index']}",
                "name": item["name"],
                "desc": sections[item["index"]]["desc"].partition("\n")[2].strip(),
                "index": index,
                "initialHeaderLevel": 2,
                "document": _DOCUMENT,
                "ruleset": key,
                "crossreferences": dict(NO_LINKS),
            }
            corpus.add("rules", rule, document=_DOCUMENT)
            rules.append(rule)
        ruleset = {
            "name": raw["name"],
            "key": key,
            "document": corpus.document_object(_DOCUMENT),
            "desc": raw["desc"].partition("\n")[2].strip(),
            "rules": rules,
            "crossreferences": dict(NO_LINKS),
        }
        corpus.add("rulesets", ruleset, document=_DOCUMENT)


def _features(key: str, class_index: str, subclass_index: str | None) -> list[Row]:
    """The features of a class or subclass, those of one name as one, gained at all of their levels."""
    by_name: dict[str, list[Raw]] = defaultdict(list)
    for raw in srd_raw("Features"):
        owner = (raw["class"]["index"], (raw.get("subclass") or {}).get("index"))
        if owner == (class_index, subclass_index):
            by_name[raw["name"]].append(raw)
    return [
        _feature(
            key,
            name,
            paragraphs(raws[0]["desc"]),
            "CLASS_LEVEL_FEATURE",
            levels=sorted({raw["level"] for raw in raws}),
        )
        for name, raws in sorted(by_name.items())
    ]


def _columns(key: str, class_index: str) -> list[Row]:
    """The columns of the class table: the upstream keeps them among the features."""
    levels = {
        raw["level"]: raw
        for raw in srd_raw("Levels")
        if raw["class"]["index"] == class_index and "subclass" not in raw
    }
    bonus = {level: f"+{raw['prof_bonus']}" for level, raw in levels.items()}
    columns = [_feature(key, "Proficiency Bonus", "[Column data]", "PROFICIENCY_BONUS", table=bonus)]
    for slot, ordinal in enumerate(_ORDINALS, 1):
        name = f"spell_slots_level_{slot}"
        slots = {level: raw.get("spellcasting", {}).get(name, 0) for level, raw in levels.items()}
        table = {level: str(number) for level, number in slots.items() if number}
        if table:
            columns.append(_feature(key, ordinal, "[Column data]", "SPELL_SLOTS", table=table))
    return columns


def _feature(
    key: str,
    name: str,
    desc: str,
    kind: str,
    *,
    levels: Iterable[int] = (),
    table: dict[int, str] | None = None,
) -> Row:
    return {
        "key": f"{key}_{slugged(name)}",
        "name": name,
        "desc": desc,
        "feature_type": kind,
        "gained_at": [{"level": level, "detail": None} for level in levels],
        "data_for_class_table": [
            {"level": level, "column_value": value} for level, value in sorted((table or {}).items())
        ],
    }


def _species(corpus: Corpus, raw: Raw, traits: dict[str, Raw], own: list[Raw], parent: str | None) -> Row:
    bonuses = [
        f"{_ABILITIES[item['ability_score']['index']]} +{item['bonus']}" for item in raw["ability_bonuses"]
    ]
    texts = [("Ability Score Increase", ", ".join(bonuses))]
    if parent is None:
        texts += [
            ("Age", raw["age"]),
            ("Alignment", raw["alignment"]),
            ("Size", raw["size_description"]),
            ("Speed", f"Your base walking speed is {raw['speed']} feet."),
            ("Languages", raw["language_desc"]),
        ]
    texts += [(item["name"], paragraphs(traits[item["index"]]["desc"])) for item in own]
    return {
        "key": f"srd_{_SPECIES_SLUGS.get(raw['index'], raw['index'])}",
        "is_subspecies": parent is not None,
        "document": corpus.document_object(_DOCUMENT),
        "traits": [{"name": name, "desc": desc, "type": None, "order": None} for name, desc in texts],
        "name": raw["name"],
        "desc": paragraphs(raw.get("desc")),
        "subspecies_of": parent,
        "crossreferences": dict(NO_LINKS),
    }
