"""What the upstream has differently from the embedded SRD, as it was measured over the merged records."""

from __future__ import annotations

from tests.support.fake_open5e.corpus import Corpus, Row, reference

_WRONGLY_ON = {
    "bard": ("faerie-fire"),
    "cleric": (
        "barkskin blink burning-hands call-lightning charm-person confusion dimension-door disguise-self "
        "divination divine-favor dominate-beast dominate-person faerie-fire flaming-sphere fog-cloud "
        "gust-of-wind hold-monster ice-storm identify magic-weapon mirror-image modify-memory "
        "nondetection pass-without-trace plant-growth polymorph scorching-ray shatter sleet-storm "
        "speak-with-animals spike-growth stoneskin suggestion thunderwave tree-stride wall-of-fire "
        "wind-wall"
    ),
    "druid": (
        "acid-arrow blur cloudkill cone-of-cold darkness dream gaseous-form greater-invisibility haste "
        "invisibility lightning-bolt meld-into-stone mirror-image misty-step passwall silence slow "
        "spider-climb stinking-cloud web"
    ),
    "warlock": (
        "black-tentacles blindnessdeafness blink burning-hands calm-emotions clairvoyance command "
        "detect-thoughts dominate-beast dominate-person faerie-fire fire-shield flame-strike "
        "greater-invisibility hallow hideous-laughter plant-growth scorching-ray seeming sending sleep "
        "stinking-cloud telekinesis wall-of-fire"
    ),
}
"""Spells by class whose list they are wrongly on: the lists of subclasses were mixed in."""

_MISSING_FROM = {
    "druid": ("plane-shift"),
    "paladin": (
        "aid banishment bless branding-smite command create-food-and-water cure-wounds daylight "
        "death-ward detect-evil-and-good detect-magic detect-poison-and-disease dispel-evil-and-good "
        "dispel-magic divine-favor find-steed geas heroism lesser-restoration locate-creature "
        "locate-object magic-circle magic-weapon protection-from-evil-and-good protection-from-poison "
        "purify-food-and-drink raise-dead remove-curse revivify shield-of-faith zone-of-truth"
    ),
}
"""Spells by class whose list lacks them: there is none for paladins at all."""


def make_different(corpus: Corpus) -> None:
    """Changes all of it in `corpus`."""
    for class_slug, slugs in _WRONGLY_ON.items():
        tag = {"name": class_slug.title(), "key": f"srd_{class_slug}"}
        for slug in slugs.split():
            row = _row(corpus, "spells", slug)
            row["classes"] = sorted([*row["classes"], tag], key=lambda item: str(item["key"]))
    for class_slug, slugs in _MISSING_FROM.items():
        for slug in slugs.split():
            row = _row(corpus, "spells", slug)
            row["classes"] = [item for item in row["classes"] if item["key"] != f"srd_{class_slug}"]
    for record in corpus.records("creatures"):
        _change_creature(record.row)
    _row(corpus, "creatures", "chain-devil")["challenge_rating"] = 11.0


def _change_creature(row: Row) -> None:
    """No experience at rating 0, habitats and families that the SRD does not print, and attacks that deal thunder:
    the upstream says so wherever it names a type of damage in its 2014 stat blocks."""
    if row["challenge_rating"] == 0:
        row["experience_points"] = 0
    if row["type"]["key"] == "beast":
        row["environments"] = [reference("forest")]
    if row["type"]["key"] == "dragon":
        row["subcategory"] = "Dragons, Chromatic"
    for action in row["actions"]:
        for attack in action["attacks"]:
            if attack["damage_type"] is not None:
                attack["damage_type"] = reference("thunder")


def _row(corpus: Corpus, endpoint: str, slug: str) -> Row:
    record = corpus.get(endpoint, f"srd_{slug}")
    assert record is not None
    return record.row
