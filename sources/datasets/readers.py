"""CKAN's JSON into records, whatever a portal made of it.

A field of an unexpected shape is absent; a record without an id or name is None, and its reader says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from sources.datasets.portals import Portal
from sources.datasets.records import (
    UNKNOWN_FORMAT,
    UNNAMED,
    Dataset,
    DatastoreField,
    DatastorePage,
    Extra,
    Facet,
    FacetValue,
    Organization,
    OrganizationRef,
    PortalStatus,
    Resource,
    Tag,
)
from sources.datasets.values import (
    by_language,
    chosen,
    instant,
    plain,
    size_for_people,
    size_in_bytes,
    spoken,
    text_in,
    truth,
    whole,
)

Raw = Mapping[str, Any]


def key_of(portal: Portal, identifier: str) -> str:
    """The key of something of a portal, unique over all portals."""
    return f"{portal.key}#{identifier}"


def read_dataset(raw: Raw, portal: Portal, language: str | None = None) -> Dataset | None:
    """A dataset; its texts in `language` where it has them, else in the portal's own. None without id and name."""
    identifier = plain(raw.get("id")) or plain(raw.get("name"))
    if identifier is None:
        return None
    name = plain(raw.get("name")) or identifier
    languages = _languages(portal, language)
    title, spoken = _text(raw, "title", languages)
    notes, _ = _text(raw, "notes", languages)
    if notes is None:
        notes, _ = _text(raw, "description", languages)
    key = key_of(portal, identifier)
    resources = tuple(_resources(raw.get("resources"), portal, key, languages))
    extras = tuple(_extras(raw.get("extras"), languages))
    flags = [resource.datastore_active for resource in resources]
    return Dataset(
        key=key,
        portal_key=portal.key,
        portal_url=portal.url,
        dataset_id=identifier,
        name=name,
        title=title or name,
        view_url=portal.dataset_url(identifier, name),
        notes=notes,
        url=plain(raw.get("url")),
        version=plain(raw.get("version")),
        type=plain(raw.get("type")),
        state=plain(raw.get("state")),
        private=truth(raw.get("private")),
        is_open=truth(raw.get("isopen")),
        licence_id=plain(raw.get("license_id")),
        licence_title=text_in(raw.get("license_title"), languages)[0],
        licence_url=plain(raw.get("license_url")),
        author=text_in(raw.get("author"), languages)[0],
        maintainer=text_in(raw.get("maintainer"), languages)[0],
        owner_org=plain(raw.get("owner_org")),
        organization=_reference(raw.get("organization"), languages),
        groups=tuple(_references(raw.get("groups"), languages)),
        tags=_tags(raw, languages),
        extras=extras,
        resources=resources,
        num_resources=len(resources) or whole(raw.get("num_resources")) or 0,
        metadata_created=instant(raw.get("metadata_created")),
        metadata_modified=instant(raw.get("metadata_modified")),
        issued=_of_extras(extras, raw, "issued", languages),
        modified=_of_extras(extras, raw, "modified", languages),
        holder_name=_of_extras(extras, raw, "holder_name", languages),
        publisher_name=_of_extras(extras, raw, "publisher_name", languages)
        or _publisher(raw.get("publisher"), languages),
        language=spoken,
        has_datastore=True if True in flags else (False if flags and None not in flags else None),
    )


def read_organization(raw: Any, portal: Portal, language: str | None, kind: str) -> Organization | None:
    """An organization or group; a bare text is its name."""
    if isinstance(raw, str):
        raw = {"name": raw}
    if not isinstance(raw, Mapping):
        return None
    identifier = plain(raw.get("id")) or plain(raw.get("name"))
    if identifier is None:
        return None
    languages = _languages(portal, language)
    name = plain(raw.get("name")) or identifier
    title = _text(raw, "title", languages)[0] or text_in(raw.get("display_name"), languages)[0]
    return Organization(
        key=key_of(portal, identifier),
        kind=kind,
        portal_key=portal.key,
        organization_id=identifier,
        name=name,
        title=title or name,
        description=_text(raw, "description", languages)[0],
        image_url=plain(raw.get("image_display_url")) or plain(raw.get("image_url")),
        package_count=whole(raw.get("package_count")),
        created=instant(raw.get("created")),
        state=plain(raw.get("state")),
        view_url=portal.organization_url(identifier, name) if kind == "organization" else None,
    )


def read_tag(raw: Any) -> Tag | None:
    """A tag: a text, or a mapping with any of the names that portals use."""
    name = _tag_name(raw)
    if name is None:
        return None
    if not isinstance(raw, Mapping):
        return Tag(name, name)
    shown = plain(raw.get("display_name")) or plain(raw.get("display-name")) or name
    return Tag(name, shown, whole(raw.get("count")), plain(raw.get("vocabulary_id")))


def read_facets(result: Raw) -> tuple[Facet, ...]:
    """The facets of a search, most frequent value first; ties by name."""
    found = []
    titled, counted = result.get("search_facets"), result.get("facets")
    titled = titled if isinstance(titled, Mapping) else {}
    counted = counted if isinstance(counted, Mapping) else {}
    for field in dict.fromkeys([*titled, *counted]):
        facet = titled.get(field)
        items = facet.get("items") if isinstance(facet, Mapping) else None
        values: list[FacetValue] = []
        for item in items if isinstance(items, list) else []:
            name = plain(item.get("name")) if isinstance(item, Mapping) else None
            count = whole(item.get("count")) if isinstance(item, Mapping) else None
            if name is not None and count is not None:
                values.append(FacetValue(name, text_in(item.get("display_name"), ())[0] or name, count))
        plain_counts = counted.get(field)
        if not values and isinstance(plain_counts, Mapping):
            values = [
                FacetValue(name, name, count)
                for name, number in plain_counts.items()
                if (count := whole(number)) is not None
            ]
        values.sort(key=lambda value: (-value.count, value.name))
        found.append(Facet(str(field), tuple(values)))
    return tuple(found)


def read_status(raw: Raw, portal: Portal) -> PortalStatus:
    """What a portal tells of itself."""
    languages = _languages(portal, None)
    extensions = raw.get("extensions")
    return PortalStatus(
        title=text_in(raw.get("site_title"), languages)[0],
        description=text_in(raw.get("site_description"), languages)[0],
        site_url=plain(raw.get("site_url")),
        ckan_version=plain(raw.get("ckan_version")),
        locale=plain(raw.get("locale_default")),
        extensions=tuple(name for name in extensions if isinstance(name, str))
        if isinstance(extensions, list)
        else (),
    )


def read_datastore(raw: Raw) -> DatastorePage | None:
    """Rows of a resource; None without rows. Rows given as lists become mappings."""
    fields = [field for item in _list(raw.get("fields")) if (field := _datastore_field(item)) is not None]
    records = raw.get("records")
    if not isinstance(records, list):
        return None
    names = [field.name for field in fields]
    rows: list[Raw] = []
    for record in records:
        if isinstance(record, Mapping):
            rows.append(record)
        elif isinstance(record, list) and len(record) == len(names):
            rows.append(dict(zip(names, record, strict=True)))
    total = raw.get("total")
    return DatastorePage(
        resource_id=plain(raw.get("resource_id")) or "",
        fields=tuple(fields),
        rows=tuple(rows),
        total=whole(total),
        limit=whole(raw.get("limit")),
    )


def _datastore_field(raw: Any) -> DatastoreField | None:
    name = raw.get("id") if isinstance(raw, Mapping) else None
    if not isinstance(name, str):
        return None
    info = raw.get("info")
    info = info if isinstance(info, Mapping) else {}
    return DatastoreField(name, plain(raw.get("type")), plain(info.get("label")), plain(info.get("notes")))


def _languages(portal: Portal, language: str | None) -> tuple[str, ...]:
    return tuple(name for name in (language, *portal.languages, "en") if name)


def _text(raw: Raw, field: str, languages: Sequence[str]) -> tuple[str | None, str | None]:
    """A text that may stand in several languages: in itself, in `…_translated`, or under `translation`."""
    for value in (raw.get(f"{field}_translated"), raw.get(field)):
        if by_language(value) is not None:
            found = text_in(value, languages)
            if found[0] is not None:
                return found
    translation = raw.get("translation")
    if isinstance(translation, Mapping):
        of_field = {
            name: texts[field]
            for name, texts in translation.items()
            if isinstance(texts, Mapping) and texts.get(field)
        }
        picked = spoken(of_field, languages[:1])
        if picked is not None and (text := plain(picked[1])) is not None:
            return text, picked[0]
    return text_in(raw.get(field), languages)


def _list(value: Any) -> list[Any]:
    """A list, also as JSON in a text; empty for anything else."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            return []
    return value if isinstance(value, list) else []


def _tag_name(raw: Any) -> str | None:
    if isinstance(raw, Mapping):
        for field in ("name", "display_name", "display-name", "id"):
            name = plain(raw.get(field))
            if name is not None:
                return name
        return None
    return plain(raw)


def _tags(raw: Raw, languages: Sequence[str]) -> tuple[str, ...]:
    """Tags as records or texts, or keywords by language."""
    tags = raw.get("tags")
    if isinstance(tags, str) and not tags.lstrip().startswith("["):
        tags = tags.split(",")
    names = [name for item in _list(tags) if (name := _tag_name(item)) is not None]
    keywords = by_language(raw.get("keywords"))
    if keywords is not None and (found := chosen(keywords, languages)) is not None:
        names += [name for item in _list(found[1]) if (name := plain(item)) is not None]
    return tuple(dict.fromkeys(names))


def _reference(raw: Any, languages: Sequence[str]) -> OrganizationRef | None:
    if isinstance(raw, Mapping):
        name = plain(raw.get("name")) or plain(raw.get("id"))
        title = _text(raw, "title", languages)[0] or text_in(raw.get("display_name"), languages)[0]
        return OrganizationRef(name, title or name) if name else None
    name = plain(raw)
    return OrganizationRef(name, name) if name else None


def _references(raw: Any, languages: Sequence[str]) -> Iterable[OrganizationRef]:
    for item in _list(raw):
        found = _reference(item, languages)
        if found is not None:
            yield found


def _extras(raw: Any, languages: Sequence[str]) -> Iterable[Extra]:
    """Extras as CKAN lists them, or as a mapping."""
    pairs = (
        raw.items()
        if isinstance(raw, Mapping)
        else ((item.get("key"), item.get("value")) for item in _list(raw) if isinstance(item, Mapping))
    )
    for key, value in pairs:
        name = plain(key)
        text = text_in(value, languages)[0]
        if text is None and isinstance(value, list | Mapping) and value:
            text = orjson.dumps(value).decode()
        if name is not None and text is not None:
            yield Extra(name, text)


def _of_extras(extras: Sequence[Extra], raw: Raw, field: str, languages: Sequence[str]) -> str | None:
    """A field of the extras first: on an aggregator the dataset's own field holds the harvester."""
    for extra in extras:
        if extra.key == field:
            return extra.value
    return text_in(raw.get(field), languages)[0]


def _publisher(raw: Any, languages: Sequence[str]) -> str | None:
    if isinstance(raw, str) and raw.lstrip().startswith("{"):
        try:
            raw = orjson.loads(raw)
        except orjson.JSONDecodeError:
            return plain(raw)
    if isinstance(raw, list):
        raw = raw[0] if raw else None
    if isinstance(raw, Mapping) and "name" in raw:
        return text_in(raw.get("name"), languages)[0]
    return text_in(raw, languages)[0]


def _resources(raw: Any, portal: Portal, dataset: str, languages: Sequence[str]) -> Iterable[Resource]:
    for place, item in enumerate(_list(raw)):
        if isinstance(item, Mapping):
            yield _resource(item, place, portal, dataset, languages)


def _resource(raw: Raw, place: int, portal: Portal, dataset: str, languages: Sequence[str]) -> Resource:
    identifier = plain(raw.get("id")) or f"{dataset.rpartition('#')[2]}:{place}"
    size = size_in_bytes(raw.get("size"))
    urls = (raw.get(field) for field in ("download_url", "access_url", "url"))
    return Resource(
        key=key_of(portal, identifier),
        resource_id=identifier,
        dataset_key=dataset,
        name=_text(raw, "name", languages)[0] or UNNAMED,
        format=text_in(raw.get("format"), languages)[0] or UNKNOWN_FORMAT,
        url=next((url.strip() for url in urls if isinstance(url, str) and url.strip()), None),
        description=_text(raw, "description", languages)[0],
        size=size_for_people(size),
        size_bytes=size,
        size_text=plain(raw.get("size")),
        mimetype=plain(raw.get("mimetype")),
        datastore_active=truth(raw.get("datastore_active")),
        position=whole(raw.get("position")),
        state=plain(raw.get("state")),
        hash=plain(raw.get("hash")),
        created=instant(raw.get("created")),
        last_modified=instant(raw.get("last_modified")),
        metadata_modified=instant(raw.get("metadata_modified")),
    )
