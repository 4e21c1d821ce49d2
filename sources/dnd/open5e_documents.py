"""Documents of Open5e v2 as our records: their licences stand only in its list of documents."""

from __future__ import annotations

from collections.abc import Mapping

from sources.dnd.embedded import SRD_2014
from sources.dnd.open5e_recipes import clean, mapping, objects
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records import Document

_SPDX: Mapping[str, tuple[str, str]] = {
    "cc-by-40": ("CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/legalcode"),
    "cc0": ("CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/legalcode"),
    # The Open Game License is not on the SPDX list.
    "ogl-10a": ("LicenseRef-OGL-1.0a", "https://opengamingfoundation.org/ogl.html"),
}
"""Identifier and text of a licence, by Open5e's key of it; the freest first, whose text is pointed to."""

SRD_2024_ATTRIBUTION = (
    "This work includes material from the System Reference Document 5.2 (“SRD 5.2”) by Wizards of the Coast LLC, "
    "available at https://www.dndbeyond.com/srd. The SRD 5.2 is licensed under the Creative Commons Attribution 4.0 "
    "International License, available at https://creativecommons.org/licenses/by/4.0/legalcode."
)


def document_of(raw: Raw) -> Document:
    """The document of a row of `/v2/documents/`. Raises MalformedRecord for one without key, name or edition."""
    key, name = clean(raw.get("key")), clean(raw.get("name"))
    edition = clean(mapping(raw, "gamesystem").get("key"))
    if not key or not name or not edition:
        raise MalformedRecord(key or name or "without a name", "document", "lacks key, name or game system")
    if key == SRD_2014.key:
        return SRD_2014
    publisher = clean(mapping(raw, "publisher").get("name")) or "an unnamed publisher"
    licences = {clean(item.get("key")): clean(item.get("name")) for item in objects(raw, "licenses")}
    known = [(*_SPDX[licence], licences[licence]) for licence in _SPDX if licence in licences]
    known += [
        (f"LicenseRef-{licence}", "", title) for licence, title in licences.items() if licence not in _SPDX
    ]
    attribution = SRD_2024_ATTRIBUTION
    if key != "srd-2024":
        under = " or ".join(title for _, _, title in known) or "a licence that is not stated"
        attribution = f"From “{name}” by {publisher}, under {under}."
    return Document(
        key=key,
        name=name,
        publisher=publisher,
        edition=edition,
        licence=" OR ".join(spdx for spdx, _, _ in known) or "NOASSERTION",
        licence_url=next((url for _, url, _ in known), ""),
        url=clean(raw.get("permalink")),
        attribution=attribution,
        source="open5e",
    )
